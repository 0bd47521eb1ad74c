#include "inkread/formats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>
#include <sstream>
#include <utility>

#include "codec/test_images.h"
#include "formats/reading_json.h"

namespace inkread {
namespace {

Page ReadPage(const std::string& file) {
  Page page;
  page.file = file;
  page.reading.width_px = 640;
  page.reading.height_px = 480;
  page.reading.turned_deg = 89.6789f;
  page.reading.dropped = 1;
  Line line;
  line.quad = {Point{1, 2}, Point{30, 2}, Point{30, 12}, Point{1, 12}};
  line.text = "a\tb";
  line.score = 0.98765432f;
  line.det_score = 0.5f;
  page.reading.lines = {line};
  page.reading.ms.total = 12.34567;
  page.warnings = {"JPEG: cut near row 3 of 9; the rest is blank"};
  return page;
}

Page FailedPage(const std::string& file) {
  Page page;
  page.file = file;
  page.error = Status(StatusCode::kCorruptImage, "no image");
  return page;
}

// A line of characters 10 px wide and 20 px high, whose left end is there, on a page that lies turned by so many degrees
// about the origin.
Line LineAt(const std::string& text, int columns, double left, double top, double turned_deg) {
  const double turn = turned_deg * std::numbers::pi / 180;
  const auto turned = [turn](double x, double y) {
    return Point{static_cast<int>(std::lround(x * std::cos(turn) - y * std::sin(turn))),
                 static_cast<int>(std::lround(x * std::sin(turn) + y * std::cos(turn)))};
  };
  const double right = left + 10 * columns, bottom = top + 20;
  Line line;
  line.text = text;
  line.quad = {turned(left, top), turned(right, top), turned(right, bottom), turned(left, bottom)};
  return line;
}

TEST(LayoutWriterTest, LinesStandWhereTheyStandOnThePage) {
  for (const double turned_deg : {0.0, 3.0, 90.0, 180.0, -20.0}) {
    Page page;
    page.reading.turned_deg = static_cast<float>(turned_deg);
    page.reading.lines = {LineAt("item", 4, 50, 10, turned_deg),      LineAt("price", 5, 250, 12, turned_deg),
                          LineAt("墨水", 4, 50, 40, turned_deg),      LineAt("12.50", 5, 250, 38, turned_deg),
                          LineAt("", 5, 400, 38, turned_deg),         LineAt("left over", 9, 50, 130, turned_deg),
                          LineAt("touching", 8, 140, 131, turned_deg)};
    std::ostringstream out;
    MakeLayoutWriter(false, &out)->Write(page);
    EXPECT_EQ(out.str(),
              "item                price\n"
              "墨水                12.50\n"
              "\n"
              "left over touching\n")
        << turned_deg;
  }
  std::ostringstream out;
  MakeLayoutWriter(false, &out)->Write(Page());
  EXPECT_EQ(out.str(), "");
}

TEST(PageWriterTest, EachFormatHasItsWriter) {
  const auto written = [](PageWriter* writer, const std::ostringstream& out) {
    writer->Write(ReadPage("a.jpg"));
    writer->End();
    return out.str();
  };
  const RunInfo info;
  using Make = std::unique_ptr<PageWriter> (*)(const RunInfo&, std::ostream*);
  const std::pair<OutputFormat, Make> formats[] = {
      {OutputFormat::kText, [](const RunInfo&, std::ostream* out) { return MakeTextWriter(true, out); }},
      {OutputFormat::kLayout, [](const RunInfo&, std::ostream* out) { return MakeLayoutWriter(true, out); }},
      {OutputFormat::kJson, MakeJsonWriter},
      {OutputFormat::kJsonLines, MakeJsonLinesWriter},
      {OutputFormat::kTsv, [](const RunInfo&, std::ostream* out) { return MakeTsvWriter(out); }},
      {OutputFormat::kHocr, MakeHocrWriter},
      {OutputFormat::kAlto, MakeAltoWriter},
      {OutputFormat::kPdf, [](const RunInfo&, std::ostream* out) { return MakePdfWriter(out); }}};
  std::set<std::string> all;
  for (const auto& [format, make] : formats) {
    std::ostringstream out, expected;
    const std::string text = written(MakePageWriter(format, info, true, &out).get(), out);
    EXPECT_EQ(text, written(make(info, &expected).get(), expected));
    all.insert(text);
  }
  EXPECT_GE(all.size(), 7u);  // text and layout of one line are the same
  std::ostringstream out;
  EXPECT_EQ(MakePageWriter(static_cast<OutputFormat>(99), info, true, &out), nullptr);
}

TEST(JsonWriterTest, FollowsTheContract) {
  std::ostringstream out;
  RunInfo info;
  info.version = "0.1.0";
  info.read.official = true;
  const auto output = MakeJsonWriter(info, &out);
  output->Write(ReadPage("a.jpg"));
  output->Write(FailedPage("b.jpg"));
  output->End();
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["engine"], nlohmann::json::parse(R"({"version": "0.1.0", "size": "small", "profile": "pipeline",
                                                      "precision": "precise", "official": true,
                                                      "order": "official"})"));
  auto read = json["images"][0];
  EXPECT_EQ(read["ms"]["total"], 12.346);
  read.erase("ms");
  EXPECT_EQ(read, nlohmann::json::parse(R"({"file": "a.jpg", "page": 1, "pages": 1, "width": 640, "height": 480,
      "turned": 89.7, "backend": "cpu", "warnings": ["JPEG: cut near row 3 of 9; the rest is blank"], "dropped": 1,
      "lines": [{"text": "a\tb", "score": 0.987654, "det_score": 0.5, "quad": [[1, 2], [30, 2], [30, 12], [1, 12]]}]})"));
  EXPECT_EQ(json["images"][1],
            nlohmann::json::parse(R"({"file": "b.jpg", "error": {"code": "CORRUPT_IMAGE", "message": "no image"}})"));
}

TEST(JsonWriterTest, LinesHaveThePartsThatWereAskedFor) {
  Page page = ReadPage("a.jpg");
  page.reading.lines[0].words = {{{Point{1, 2}, Point{9, 2}, Point{9, 12}, Point{1, 12}}, "a", 0.12345678f}};
  for (const bool chars : {false, true}) {
    std::ostringstream out;
    RunInfo info;
    info.read.words = true;
    info.read.chars = chars;
    MakeJsonLinesWriter(info, &out)->Write(page);
    const auto line = nlohmann::json::parse(out.str())["lines"][0];
    EXPECT_EQ(line["words"], nlohmann::json::parse(
                                 R"([{"text": "a", "score": 0.123457, "quad": [[1, 2], [9, 2], [9, 12], [1, 12]]}])"));
    EXPECT_EQ(line.contains("chars"), chars);
    EXPECT_EQ(line.value("chars", nlohmann::json()), chars ? nlohmann::json::array() : nlohmann::json());
  }
}

TEST(JsonWriterTest, IsADocumentAlsoWithoutImages) {
  std::ostringstream out;
  MakeJsonWriter({}, &out)->End();
  EXPECT_TRUE(nlohmann::json::parse(out.str())["images"].empty());
}

TEST(FileNameTextTest, UnicodeStaysAndOtherBytesCanBeHadBack) {
  for (const std::string name :
       {"a b.png", "\xE5\x9B\xBE.png", "caf\xC3\xA9 \xF0\x9F\x94\xA5", "caf%E9", "\\xE9", ""}) {
    EXPECT_EQ(FileNameText(name), name);
    EXPECT_EQ(FileNameFromText(name), name);
  }
  const std::string names[] = {"caf\xE9.png",
                               "caf\xE8.png",
                               "\xE9",
                               "\xE9"
                               "E9",
                               "\xFF\xFE",
                               "\xC3",
                               "\xC3(",
                               "\xE5\x9B",
                               "\xED\xA0\x80",      // half of a surrogate pair
                               "\xC0\xAF",          // a slash in two bytes
                               "\xF4\x90\x80\x80",  // above U+10FFFF
                               "\xEF\xBF\xBD",      // U+FFFD itself
                               "\xEF\xBF\xBD"
                               "E9",
                               "\xEF\xBF",
                               "new\nline\xE9"};
  std::set<std::string> texts;
  for (const std::string& name : names) {
    const std::string text = FileNameText(name);
    EXPECT_EQ(FileNameFromText(text), name) << text;
    EXPECT_EQ(nlohmann::json::parse(nlohmann::json(text).dump()), text);  // dump() throws for what is no UTF-8
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), std::size(names));
}

TEST(JsonLinesWriterTest, WritesAnObjectALine) {
  std::ostringstream out;
  const auto output = MakeJsonLinesWriter({}, &out);
  output->Write(FailedPage("caf\xE9.jpg"));
  Page page = FailedPage("b.tif");
  page.page = 2;
  page.pages = 3;
  output->Write(page);
  output->End();
  std::istringstream in(out.str());
  std::string line;
  ASSERT_TRUE(std::getline(in, line));
  EXPECT_EQ(nlohmann::json::parse(line)["file"],
            "caf\xEF\xBF\xBD"
            "E9.jpg");
  ASSERT_TRUE(std::getline(in, line));
  EXPECT_EQ(nlohmann::json::parse(line)["page"], 2);
  EXPECT_FALSE(std::getline(in, line));
}

TEST(TextWriterTest, HeadsThePagesWhenThereAreMany) {
  std::ostringstream one;
  MakeTextWriter(false, &one)->Write(ReadPage("a.jpg"));
  EXPECT_EQ(one.str(), "a\tb\n");
  std::ostringstream many;
  const auto output = MakeTextWriter(true, &many);
  output->Write(ReadPage("a.jpg"));
  output->Write(FailedPage("b.jpg"));
  Page page = ReadPage("c.tif");
  page.page = 2;
  page.pages = 2;
  output->Write(page);
  EXPECT_EQ(many.str(), "==> a.jpg <==\na\tb\n\n==> c.tif (page 2 of 2) <==\na\tb\n");
}

TEST(TextWriterTest, LeavesOutLinesWithoutText) {
  Page page = ReadPage("a.jpg");
  page.reading.lines.insert(page.reading.lines.begin(), Line());
  page.reading.lines.push_back(Line());
  std::ostringstream text;
  MakeTextWriter(false, &text)->Write(page);
  EXPECT_EQ(text.str(), "a\tb\n");
  std::ostringstream tsv;
  MakeTsvWriter(&tsv)->Write(page);
  const std::string rows = tsv.str();
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 6);
  std::ostringstream json;
  MakeJsonLinesWriter({}, &json)->Write(page);
  EXPECT_EQ(nlohmann::json::parse(json.str())["lines"].size(), 3u);
}

// A line at an angle with two words, one of which needs escaping.
Page PageWithWords() {
  Page page = ReadPage("a&'b.jpg");
  Line& line = page.reading.lines[0];
  line.text = "x<\ty";
  line.words = {{{Point{1, 2}, Point{9, 4}, Point{8, 12}, Point{0, 10}}, "x<", 0.5f},
                {{Point{20, 7}, Point{30, 9}, Point{29, 17}, Point{19, 15}}, "y", 1}};
  line.quad = {Point{1, 2}, Point{31, 9}, Point{29, 17}, Point{0, 10}};
  page.reading.lines.push_back(Line());  // found but not read
  return page;
}

TEST(TsvWriterTest, HasARowForPageBlockParagraphLineAndWord) {
  std::ostringstream out;
  const auto output = MakeTsvWriter(&out);
  output->Write(FailedPage("a.jpg"));
  output->Write(PageWithWords());
  EXPECT_EQ(out.str(),
            "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
            "1\t2\t0\t0\t0\t0\t0\t0\t640\t480\t-1\t\n"
            "2\t2\t1\t0\t0\t0\t0\t2\t31\t15\t-1\t\n"
            "3\t2\t1\t1\t0\t0\t0\t2\t31\t15\t-1\t\n"
            "4\t2\t1\t1\t1\t0\t0\t2\t31\t15\t-1\t\n"
            "5\t2\t1\t1\t1\t1\t0\t2\t9\t10\t50.000000\tx<\n"
            "5\t2\t1\t1\t1\t2\t19\t7\t11\t10\t100.000000\ty\n");
}

TEST(TsvWriterTest, ALineWithoutWordsIsOneAndBreaksNoTable) {
  std::ostringstream out;
  MakeTsvWriter(&out)->Write(ReadPage("a.jpg"));
  EXPECT_NE(out.str().find("\n5\t1\t1\t1\t1\t1\t1\t2\t29\t10\t98.765433\ta b\n"), std::string::npos) << out.str();
}

TEST(HocrWriterTest, PlacesLinesAndWords) {
  std::ostringstream out;
  RunInfo info;
  info.version = "0.1.0 <x>";
  const auto output = MakeHocrWriter(info, &out);
  output->Write(PageWithWords());
  output->End();
  for (const char* part :
       {"content=\"inkread 0.1.0 &lt;x&gt;\"", "title='image \"a&amp;&#39;b.jpg\"; bbox 0 0 640 480; ppageno 0'>",
        "title='bbox 0 2 31 17; textangle 346.9'>", "title='bbox 0 2 9 12; x_wconf 50'>x&lt;</span> <span",
        "title='bbox 19 7 30 17; x_wconf 100'>y</span></span><br/>\n</div>\n</body>\n</html>\n"}) {
    EXPECT_NE(out.str().find(part), std::string::npos) << part << '\n' << out.str();
  }
}

TEST(AltoWriterTest, PlacesLinesAndWords) {
  std::ostringstream out;
  const auto output = MakeAltoWriter({}, &out);
  output->Write(FailedPage("bad.jpg"));
  output->Write(PageWithWords());
  output->End();
  for (const char* part :
       {"<fileName>a&amp;&#39;b.jpg</fileName>",
        "<Page ID=\"page_2\" WIDTH=\"640\" HEIGHT=\"480\" PHYSICAL_IMG_NR=\"2\">",
        "<String ID=\"word_2_1\" HPOS=\"0\" VPOS=\"2\" WIDTH=\"9\" HEIGHT=\"10\" CONTENT=\"x&lt;\" WC=\"0.5\">\n"
        "<Shape><Polygon POINTS=\"1,2 9,4 8,12 0,10\"/></Shape>\n</String>\n<SP/>\n<String ID=\"word_2_2\"",
        "</PrintSpace>\n</Page>\n</Layout>\n</alto>\n"}) {
    EXPECT_NE(out.str().find(part), std::string::npos) << part << '\n' << out.str();
  }
}

TEST(AltoWriterTest, TextThatXmlHasNoPlaceForIsReplaced) {
  std::ostringstream out;
  Page page = PageWithWords();
  page.reading.lines[0].words[1].text = "\x01\xE9\"";
  const auto output = MakeAltoWriter({}, &out);
  output->Write(page);
  EXPECT_NE(out.str().find("CONTENT=\"\xEF\xBF\xBD\xEF\xBF\xBD&quot;\""), std::string::npos) << out.str();
}

std::string PdfOf(Page page, const DecodedImage& image, std::span<const uint8_t> jpeg) {
  page.image = &image;
  page.jpeg = jpeg;
  std::ostringstream out;
  const auto output = MakePdfWriter(&out);
  output->Write(FailedPage("bad.jpg"));
  output->Write(page);
  output->End();
  return out.str();
}

TEST(PdfWriterTest, AJpegGoesInAsItIs) {
  test::JpegSpec spec;
  spec.exif = test::ExifBlock(6, true);
  const std::vector<uint8_t> jpeg = test::WriteJpeg(spec, test::Bytes(16 * 16 * 3, 90));
  const Result<DecodedImage> image = DecodeImage(jpeg);
  ASSERT_TRUE(image.ok());
  const std::string bytes(jpeg.begin(), jpeg.end());
  const std::string pdf = PdfOf(PageWithWords(), *image, jpeg);
  EXPECT_NE(pdf.find(bytes), std::string::npos);
  EXPECT_EQ(PdfOf(PageWithWords(), *image, {}).find(bytes), std::string::npos);
  EXPECT_EQ(PdfOf(PageWithWords(), *image, jpeg), pdf);
}

TEST(PdfWriterTest, BlackAndWhiteTakesABitAPixel) {
  DecodedImage image;
  image.width_px = 9;
  image.height_px = 2;
  image.stride_bytes = 9;
  image.format = PixelFormat::kGray8;
  image.pixels.assign(18, 255);
  EXPECT_NE(PdfOf(PageWithWords(), image, {}).find("/BitsPerComponent 1 "), std::string::npos);
  image.pixels[5] = 128;
  EXPECT_NE(PdfOf(PageWithWords(), image, {}).find("/BitsPerComponent 8 "), std::string::npos);
}

TEST(PdfWriterTest, AnErrorOfTheStreamIsNoException) {
  std::ostringstream out;
  const auto output = MakePdfWriter(&out);
  out.setstate(std::ios::badbit);
  output->Write(PageWithWords());
  output->End();
  EXPECT_TRUE(out.bad());
}

}  // namespace
}  // namespace inkread
