"""Japanese: hiragana and katakana with some kanji. The tiny models do not know kana, the others do."""
from draw import Page, fitting_size

WORDS = ("コーヒー サンドイッチ ラーメン チョコレート カメラ テーブル エレベーター ホテル タクシー インターネット スケジュール "
         "レストラン アイスクリーム ノート プログラム").split()
GREETINGS = "いらっしゃいませ ありがとうございます おはようございます しばらくおまちください またのおこしを".split()
PLACES = "えきのまえ 公園のとなり まちの図書館 二階のうけつけ みなとの市場 山のふもと".split()
THINGS = "あたらしい本 あかい傘 ふるい地図 つめたいお茶 ちいさな花 にもつ".split()
DOINGS = "があります をうっています をさがしています をよういしました をおあずかりします".split()


def line(dice):
    return dice.pick((
        lambda: dice.pick(GREETINGS),
        lambda: f"{dice.pick(PLACES)}に{dice.pick(THINGS)}があります。",
        lambda: f"{dice.pick(THINGS)}{dice.pick(DOINGS)}。",
        lambda: f"{dice.pick(WORDS)}と{dice.pick(WORDS)}をください。",
        lambda: f"{dice.pick(WORDS)} {dice.whole(100, 2900)}円",
        lambda: f"毎週{dice.pick('月火水木金')}曜日は{dice.whole(9, 11)}時から{dice.whole(15, 20)}時まで",
    ))()


def draw(dice):
    face = dice.pick(("sans_ja", "serif_ja"))
    size = dice.whole(22, 44)
    width, edge = size * dice.whole(20, 26), size * 2
    page = Page(width, size * 30, dice.pick(((255, 255, 255), (255, 246, 236), (40, 44, 60))))
    ink = (245, 240, 230) if sum(page.paper) < 200 else (44, 30, 30)
    y = edge
    for _ in range(dice.whole(6, 9)):
        words = line(dice)
        y += round(size * 1.8)
        page.text(edge, y, words, face, fitting_size(words, face, size, width - 2 * edge), ink)
    return page.cut(y + edge)
