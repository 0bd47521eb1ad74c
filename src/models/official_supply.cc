// The official repositories as a Supply, with libcurl.
//
// A download is written to a .part file, which is renamed once its SHA-256 is correct and deleted if it is wrong. A
// .part file of an earlier call is resumed with a Range request; if the server ignores the range, the download starts
// again.
#include <curl/curl.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "base/model_folder.h"
#include "models/files.h"
#include "models/sha256.h"
#include "models/supply.h"

namespace inkread::models {
namespace {

constexpr int kAttempts = 20;              // per file; retried only if the connection broke after bytes were received
constexpr long kConnectTimeoutS = 20;      // NOLINT: libcurl expects long
constexpr long kStalledTimeoutS = 30;      // NOLINT
constexpr long kMaxRedirects = 10;         // NOLINT
constexpr long kHttpPartialContent = 206;  // NOLINT
constexpr long kHttpRangeRefused = 416;    // NOLINT

struct CloseCurl {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};

// The download of one file. The callbacks run inside curl_easy_perform, on the caller's thread.
struct Transfer {
  CURL* curl;
  FileWriter* part;
  int64_t expected_bytes;
  const std::string& what;
  const Progress& progress;
  bool started = false;
  Status status = {};
};

size_t OnBytes(char* data, size_t size, size_t count, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  if (!transfer.started) {
    transfer.started = true;
    long code = 0;  // NOLINT: libcurl returns long
    curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &code);
    // The server ignored the range and sends the whole file.
    if (code != kHttpPartialContent) transfer.status = transfer.part->Truncate();
  }
  const std::span<const char> bytes(data, size * count);
  if (transfer.status.ok() &&
      transfer.part->size_bytes() + static_cast<int64_t>(bytes.size()) > transfer.expected_bytes) {
    transfer.status = CorruptModel("expected ", transfer.expected_bytes, " bytes, found more");
  }
  if (transfer.status.ok()) transfer.status = transfer.part->Write(bytes);
  if (!transfer.status.ok()) return 0;  // makes curl stop
  if (transfer.progress) transfer.progress(transfer.what, transfer.part->size_bytes(), transfer.expected_bytes);
  return bytes.size();
}

bool IsWorthAnotherTry(CURLcode code) {
  return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_GOT_NOTHING ||
         code == CURLE_OPERATION_TIMEDOUT || code == CURLE_HTTP2_STREAM || code == CURLE_HTTP2;
}

void Remove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

class OfficialSupply : public Supply {
 public:
  explicit OfficialSupply(std::string folder) : folder_(std::move(folder)) {}

  std::string Name() const override { return "the official repositories"; }

  int64_t DownloadBytes(const SizeEntry& size, std::span<const SourceFile* const> files) const override {
    int64_t bytes = 0;
    for (const SourceFile* file : files) {
      if (!file->official) continue;
      std::error_code error;
      const auto part = std::filesystem::file_size(PartPath(size, *file), error);
      bytes += file->official->form.bytes - (error ? 0 : static_cast<int64_t>(part));
    }
    return std::max<int64_t>(bytes, 0);
  }

  Status Get(const SizeEntry& size, const SourceFile& file, const std::string& path,
             const Progress& progress) override {
    const std::string what = size.size + "/" + file.name;
    if (!file.official) return NotFound(what, " is not in an official repository");
    const auto& [url, form] = *file.official;
    const std::string part_path = PartPath(size, file);
    INKREAD_RETURN_IF_ERROR(Download(url, form, part_path, what, progress));

    INKREAD_ASSIGN_OR_RETURN(const Form found, FormOfFile(part_path));
    if (Status check = CheckForm(url, form, found); !check.ok()) {
      Remove(part_path);
      return CorruptModel(check.message(), "; the download was deleted");
    }
    return MoveIntoPlace(part_path, path);
  }

 private:
  std::string PartPath(const SizeEntry& size, const SourceFile& file) const {
    const std::string folder = FindModelSize(folder_, size.size).value_or(ModelSizeFolder(folder_, size.size));
    return folder + "/" + file.name + ".part";
  }

  Status Download(const std::string& url, const Form& form, const std::string& part_path, const std::string& what,
                  const Progress& progress) {
    INKREAD_ASSIGN_OR_RETURN(FileWriter part, FileWriter::Append(part_path));
    if (part.size_bytes() > form.bytes) INKREAD_RETURN_IF_ERROR(part.Truncate());
    Status status;
    for (int attempt = 0; attempt < kAttempts && part.size_bytes() < form.bytes; ++attempt) {
      bool again = false;
      status = Perform(url, form, &part, what, progress, &again);
      if (status.ok() || !again) break;
    }
    INKREAD_RETURN_IF_ERROR(part.Sync());
    // Deletes the .part file if it is empty or too long.
    if (!status.ok() && (part.size_bytes() == 0 || status.code() == StatusCode::kCorruptModel)) Remove(part_path);
    return status;
  }

  Status Perform(const std::string& url, const Form& form, FileWriter* part, const std::string& what,
                 const Progress& progress, bool* again) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    if (curl_ == nullptr) curl_.reset(curl_easy_init());
    CURL* curl = curl_.get();
    if (curl == nullptr) return Internal("libcurl cannot be started");

    Transfer transfer = {curl, part, form.bytes, what, progress};
    char reason[CURL_ERROR_SIZE] = "";
    const std::string range = StrCat(part->size_bytes(), "-");
    curl_easy_reset(curl);  // keeps the connection; proxies are set by environment variables
    curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https,http");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, url.starts_with("https:") ? "https" : "https,http");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, kMaxRedirects);
    curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectTimeoutS);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, kStalledTimeoutS);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "inkread");
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &OnBytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
    // With CURLOPT_RESUME_FROM a server that ignores ranges would be an error. With a range the download can start
    // again.
    if (part->size_bytes() > 0) curl_easy_setopt(curl, CURLOPT_RANGE, range.c_str());

    const CURLcode code = curl_easy_perform(curl);
    if (!transfer.status.ok()) return Status(transfer.status.code(), url + ": " + transfer.status.message());
    if (code == CURLE_OK) return Status();
    long http = 0;  // NOLINT: libcurl returns long
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &http);
    *again = IsWorthAnotherTry(code) && transfer.started;
    if (code == CURLE_HTTP_RETURNED_ERROR && http == kHttpRangeRefused && part->size_bytes() > 0) {
      INKREAD_RETURN_IF_ERROR(part->Truncate());
      *again = true;
    }
    return NotFound(url, ": ", reason[0] != '\0' ? reason : curl_easy_strerror(code), " (", part->size_bytes(), " of ",
                    form.bytes, " bytes downloaded)");
  }

  std::string folder_;
  std::unique_ptr<CURL, CloseCurl> curl_;
};

}  // namespace

std::unique_ptr<Supply> MakeOfficialSupply(const std::string& folder) {
  return std::make_unique<OfficialSupply>(folder);
}

}  // namespace inkread::models
