"""Words and templates of the data set, written for it. No names of people; only characters that tiny knows."""

ITEMS_ZH = ("牛奶 面包 苹果 香蕉 鸡蛋 大米 酱油 绿茶 咖啡 饼干 豆腐 白菜 土豆 番茄 洗衣粉 毛巾 牙膏 雨伞 铅笔 信封 "
            "笔记本 电池 台灯 水杯 保温瓶 玻璃碗 纸巾盒 充电线 运动鞋 羊毛围巾").split()
ITEMS_EN = ("Whole milk,Rye bread,Green apples,Bananas,Brown eggs,Long grain rice,Soy sauce,Green tea,Ground coffee,"
            "Oat biscuits,Tomatoes,Washing powder,Bath towel,Toothpaste,Umbrella,Pencils,Envelopes,Notebook,"
            "Batteries,Desk lamp,Water glass,Steel flask,Paper tissues,Charging cable,Running shoes,"
            "Wool scarf").split(",")
SHOPS_ZH = "青石小店 东湖超市 山下面馆 晴天文具 海角书屋 西门药房 云上茶室 老街糕点 南岸五金 星光影城".split()
SHOPS_EN = ("HARBOUR TEA HOUSE,Corner Market,Old Mill Bakery,Lantern Books,Northside Hardware,Sunny Hill Grocer,"
            "Bridge Street Cafe,Riverbank Cinema,Green Door Pharmacy,Paper and Ink").split(",")
DISTRICTS_ZH = "东湖区 北山区 青石区 新河区 西岭区 南桥区".split()
STREETS_ZH = "青石路 学院街 海棠大道 河滨路 建设街 白塔巷 工业大道 竹林路".split()
STREETS_EN = "Mill Road,Harbour Street,Station Avenue,Orchard Lane,Bridge Street,Lake Drive".split(",")
TOWNS_EN = "Northfield,Eastbrook,Silver Bay,Stonebridge,Westhaven".split(",")

WHEN_ZH = "今天上午 昨天下午 每年春天 上个月 从下周起 雨停以后 开业之前 清晨 到了晚上 过去三年".split()
WHO_ZH = "图书馆 这家工厂 研究小组 火车站 我们的团队 小镇居民 气象部门 新的系统 学校食堂 港口管理处".split()
DOES_ZH = "增加了 检查了 公布了 重新安排了 完成了 讨论了 改进了 记录了 减少了 准备好".split()
WHAT_ZH = "一批新的设备 全部安全规定 下季度的计划 两条公交线路 夜间照明 测量结果 垃圾分类的方法 服务时间 纸张的用量 展览材料".split()
SO_ZH = "效果比预期更好 参观的人越来越多 费用下降了一半 具体时间另行通知 大家都很满意 数据可以在网上查询 但是问题仍然存在".split()
WHEN_EN = ("This morning,Last week,Every spring,After the rain,In the third quarter,Before the opening,"
           "At the end of the day,Over the past year").split(",")
WHO_EN = ("the library,our team,the harbour office,a small workshop,the weather station,the new system,"
          "the school kitchen,the local market").split(",")
DOES_EN = "checked,published,improved,finished,measured,replaced,collected,reviewed".split(",")
WHAT_EN = ("a set of new tools,all safety rules,the plan for next quarter,two bus lines,the street lights,"
           "the test results,the opening hours,its use of paper,the old maps").split(",")
SO_EN = ("the results were better than expected,more people came to visit,costs fell by half,the details will follow,"
         "everyone was pleased,the data can be found online,but some problems remain").split(",")

TITLES_ZH = ("季度工作总结 产品使用说明 安全生产须知 城市交通规划 环境监测报告 图书借阅办法 员工培训计划 设备维护手册 "
             "春季旅行指南 市场调查分析").split()
TITLES_EN = ("Quarterly Report,User Guide,Safety at Work,City Transport Plan,Water Quality,Library Rules,"
             "Training Schedule,Maintenance Manual,Spring Travel Guide,Market Overview").split(",")
SIGNS_ZH = ("小心地滑 禁止吸烟 出口 请勿触摸 停车场 紧急出口 售票处 服务中心 前方施工 请靠右行走 开水间 失物招领 严禁烟火 "
            "消防通道 无障碍电梯").split()
# In the order of SIGNS_ZH.
SIGNS_EN = ("CAUTION WET FLOOR,NO SMOKING,EXIT,DO NOT TOUCH,CAR PARK,EMERGENCY EXIT,TICKETS,INFORMATION,"
            "ROAD WORK AHEAD,KEEP RIGHT,DRINKING WATER,LOST AND FOUND,NO OPEN FIRE,FIRE LANE,LIFT").split(",")
MENUS_ZH = "文件 编辑 查看 工具 帮助 设置 搜索 收藏 下载 历史记录".split()
MENUS_EN = "File Edit View Tools Help Settings Search Bookmarks Downloads History".split()
BUTTONS_ZH = "确定 取消 保存 下一步 返回 重试 立即更新 了解更多".split()
BUTTONS_EN = "OK,Cancel,Save,Next,Back,Try again,Update now,Learn more".split(",")
COLUMNS_ZH = "项目 数量 单价 金额 日期 状态 部门 比例 编号 备注".split()
COLUMNS_EN = "Item Count Price Amount Date Status Unit Share Number Note".split()
STATES_ZH = "正常 待处理 已完成 已取消 运输中 缺货".split()
STATES_EN = "Normal Pending Done Cancelled Shipped Empty".split()
DEPARTMENTS_ZH = "采购部 财务部 技术部 仓库 客服中心 办公室".split()
DEPARTMENTS_EN = "Purchasing Finance Engineering Warehouse Service Office".split()


def date(dice, language="en"):
    year, month, day = dice.whole(2015, 2029), dice.whole(1, 12), dice.whole(1, 28)
    if language == "zh":
        return f"{year}年{month}月{day}日"
    return dice.pick((f"{year}-{month:02}-{day:02}", f"{year}/{month:02}/{day:02}", f"{day:02}.{month:02}.{year}"))


def time(dice):
    return f"{dice.whole(0, 23):02}:{dice.whole(0, 59):02}"


def money(dice, high=500):
    return f"{dice.whole(1, high)}.{dice.whole(0, 99):02}"


def serial(dice):
    return dice.pick((f"No. {dice.whole(0, 9999):04}-{dice.whole(0, 9999):04}-{dice.whole(0, 99):02}",
                      f"{dice.pick('ABDEFGHKMNPRTX')}{dice.whole(10000, 99999)}{dice.pick('ABDEFGHKMNPRTX')}",
                      f"#{dice.whole(100000, 999999)}"))


def phone(dice):
    return dice.pick((f"400-{dice.whole(100, 999)}-{dice.whole(1000, 9999)}",
                      f"(0{dice.whole(20, 99)}) {dice.whole(1000, 9999)}-{dice.whole(1000, 9999)}"))


def web(dice):
    return dice.pick(("www.example.com/", "https://example.org/", "help@example.com?id=")) + f"{dice.whole(100, 9999)}"


def either(dice, language, chinese, english):
    """A choice from the list of the page's language, or from either list on mixed pages."""
    return dice.pick(english if language == "en" or language == "mixed" and dice.chance(0.5) else chinese)


def address(dice, language):
    if either(dice, language, ("zh",), ("en",)) == "zh":
        return f"{dice.pick(DISTRICTS_ZH)}{dice.pick(STREETS_ZH)}{dice.whole(1, 399)}号{dice.whole(1, 30)}楼"
    return f"{dice.whole(1, 399)} {dice.pick(STREETS_EN)}, {dice.pick(TOWNS_EN)}"


def sentence(dice, language):
    if language == "en":
        return (f"{dice.pick(WHEN_EN)}, {dice.pick(WHO_EN)} {dice.pick(DOES_EN)} {dice.pick(WHAT_EN)}, "
                f"and {dice.pick(SO_EN)}.")
    when, who, does = dice.pick(WHEN_ZH), dice.pick(WHO_ZH), dice.pick(DOES_ZH)
    if language == "mixed":
        who += dice.pick(("（第" + str(dice.whole(1, 20)) + "组）", "的 Wi-Fi 网络", " A" + str(dice.whole(1, 9)) + " 区"))
    return f"{when}，{who}{does}{dice.pick(WHAT_ZH)}，{dice.pick(SO_ZH)}。"


def short_sentence(dice, language):
    if either(dice, language, ("zh",), ("en",)) == "en":
        words = f"{dice.pick(WHO_EN)} {dice.pick(DOES_EN)} {dice.pick(WHAT_EN)}"
        return words[0].upper() + words[1:]
    return f"{dice.pick(WHO_ZH)}{dice.pick(DOES_ZH)}{dice.pick(WHAT_ZH)}"


def language(dice):
    return dice.pick(("zh", "zh", "en", "mixed"))
