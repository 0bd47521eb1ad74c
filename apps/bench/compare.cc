#include "apps/bench/compare.h"

#include <algorithm>
#include <map>

#include "apps/bench/table.h"
#include "apps/text_distance.h"

namespace inkread {
namespace {

constexpr size_t kImagesShown = 10;

// Two lines set against each other; one of them may be missing and is empty then.
struct LinePair {
  const std::string* a;
  const std::string* b;
};

const std::string kNoLine;

int64_t Edits(const std::string& a, const std::string& b) { return EditDistance(CodePoints(a), CodePoints(b)); }

// Pairs the lines that keep their order with as few edits as can be; the others stand alone.
std::vector<LinePair> PairInOrder(const std::vector<const std::string*>& a, const std::vector<const std::string*>& b) {
  // cost[i][j]: of the lines from i and from j on.
  std::vector<std::vector<int64_t>> cost(a.size() + 1, std::vector<int64_t>(b.size() + 1, 0));
  std::vector<std::vector<int64_t>> both(a.size(), std::vector<int64_t>(b.size(), 0));
  for (size_t i = a.size() + 1; i-- > 0;) {
    for (size_t j = b.size() + 1; j-- > 0;) {
      if (i == a.size() && j == b.size()) continue;
      std::vector<int64_t> ways;
      if (i < a.size()) ways.push_back(cost[i + 1][j] + Edits(*a[i], kNoLine));
      if (j < b.size()) ways.push_back(cost[i][j + 1] + Edits(kNoLine, *b[j]));
      if (i < a.size() && j < b.size()) {
        both[i][j] = cost[i + 1][j + 1] + Edits(*a[i], *b[j]);
        ways.push_back(both[i][j]);
      }
      cost[i][j] = *std::min_element(ways.begin(), ways.end());
    }
  }
  std::vector<LinePair> pairs;
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && cost[i][j] == both[i][j]) {
      pairs.push_back({a[i++], b[j++]});
    } else if (i < a.size() && cost[i][j] == cost[i + 1][j] + Edits(*a[i], kNoLine)) {
      pairs.push_back({a[i++], &kNoLine});
    } else {
      pairs.push_back({&kNoLine, b[j++]});
    }
  }
  return pairs;
}

ImageDifference CompareImage(const ImageLines& a, const ImageLines& b, bool* in_another_order) {
  const LineMatch match = MatchLines(a.lines, b.lines);
  std::vector<std::string> joined;  // of b, for each line of a
  std::vector<int> order;           // of b's lines, as a has them
  for (const std::vector<int>& lines : match.found_of) {
    joined.push_back(JoinedText(b.lines, lines));
    order.insert(order.end(), lines.begin(), lines.end());
  }
  std::vector<LinePair> pairs;
  std::vector<const std::string*> left_a;
  std::vector<const std::string*> left_b;
  for (size_t i = 0; i < a.lines.size(); ++i) {
    if (match.found_of[i].empty()) {
      left_a.push_back(&a.lines[i].text);
    } else {
      pairs.push_back({&a.lines[i].text, &joined[i]});
    }
  }
  for (const int i : match.unmatched) left_b.push_back(&b.lines[static_cast<size_t>(i)].text);
  for (const LinePair& pair : PairInOrder(left_a, left_b)) pairs.push_back(pair);

  ImageDifference difference;
  difference.file = a.file;
  int64_t most = 0;
  for (const LinePair& pair : pairs) {
    const int64_t edits = Edits(*pair.a, *pair.b);
    difference.edits += edits;
    if (edits <= most) continue;
    most = edits;
    difference.worst_a = *pair.a;
    difference.worst_b = *pair.b;
  }
  *in_another_order = !std::is_sorted(order.begin(), order.end());
  return difference;
}

ImageDifference MissingImage(const ImageLines& image, const std::string& missing_in) {
  ImageDifference difference;
  difference.file = image.file;
  difference.missing_in = missing_in;
  for (const PlacedLine& line : image.lines) difference.edits += Edits(line.text, kNoLine);
  difference.edits = std::max<int64_t>(difference.edits, 1);
  return difference;
}

std::string Plural(int64_t number, const char* noun) {
  return std::to_string(number) + ' ' + noun + (number == 1 ? "" : "s");
}

}  // namespace

TextDifference CompareTexts(const BenchResult& a, const BenchResult& b) {
  std::map<std::string, const ImageLines*> of_b;
  for (const ImageLines& image : b.images) of_b[FileNameOf(image.file)] = &image;
  TextDifference result;
  const auto add = [&](ImageDifference difference) {
    ++result.num_images;
    result.edits += difference.edits;
    if (difference.edits > 0) result.images.push_back(std::move(difference));
  };
  for (const ImageLines& image : a.images) {
    const auto other = of_b.find(FileNameOf(image.file));
    if (other == of_b.end()) {
      add(MissingImage(image, b.path));
      continue;
    }
    bool in_another_order = false;
    add(CompareImage(image, *other->second, &in_another_order));
    if (in_another_order) result.in_another_order.push_back(image.file);
    of_b.erase(other);
  }
  for (const ImageLines& image : b.images) {
    if (of_b.count(FileNameOf(image.file)) != 0) add(MissingImage(image, a.path));
  }
  std::stable_sort(result.images.begin(), result.images.end(),
                   [](const ImageDifference& x, const ImageDifference& y) { return x.edits > y.edits; });
  return result;
}

std::vector<std::string> FailedGates(const TextDifference& difference, const CompareGates& gates) {
  std::vector<std::string> failed;
  if (difference.images.empty()) return failed;
  const ImageDifference& worst = difference.images.front();
  const std::string worst_is = worst.file + " (" + Plural(worst.edits, "character") + " edited)";
  if (!gates.max_edits.has_value() && !gates.max_edits_per_image.has_value()) {
    failed.push_back("the texts differ; worst image: " + worst_is);
  }
  if (gates.max_edits.has_value() && difference.edits > *gates.max_edits) {
    failed.push_back(Plural(difference.edits, "character") + " edited, --max-edits allows " +
                     std::to_string(*gates.max_edits) + "; worst image: " + worst_is);
  }
  if (gates.max_edits_per_image.has_value()) {
    for (const ImageDifference& image : difference.images) {
      if (image.edits <= *gates.max_edits_per_image) break;
      failed.push_back(image.file + ": " + Plural(image.edits, "character") + " edited, --max-edits-per-image allows " +
                       std::to_string(*gates.max_edits_per_image));
    }
  }
  return failed;
}

void PrintTextDifference(const TextDifference& difference, std::ostream* out) {
  *out << "texts: " << difference.images.size() << " of " << Plural(difference.num_images, "image") << " differ, "
       << Plural(difference.edits, "character") << " edited\n";
  for (size_t i = 0; i < std::min(difference.images.size(), kImagesShown); ++i) {
    const ImageDifference& image = difference.images[i];
    *out << "  " << image.file << ": " << Plural(image.edits, "character") << " edited";
    if (!image.missing_in.empty()) {
      *out << ", the image is missing in " << image.missing_in << '\n';
    } else {
      *out << ", most in \"" << image.worst_a << "\" -> \"" << image.worst_b << "\"\n";
    }
  }
  if (difference.images.size() > kImagesShown) {
    *out << "  and " << Plural(static_cast<int64_t>(difference.images.size() - kImagesShown), "more image") << '\n';
  }
  if (!difference.in_another_order.empty()) {
    *out << "order of lines: differs in " << Plural(static_cast<int64_t>(difference.in_another_order.size()), "image")
         << ", first " << difference.in_another_order.front() << '\n';
  }
}

}  // namespace inkread
