// The interface of PaddleOCR-json: a line of JSON in, a line of JSON out (its README and docs), which Umi-OCR's plug-ins
// and clients in seven languages speak.
#include "server/paddleocr_json.h"

#include <atomic>
#include <istream>
#include <ostream>
#include <utility>

#include "base/status.h"
#include "server/door.h"
#include "server/json_text.h"
#include "server/line_json.h"
#include "server/line_server.h"
#include "server/local_file.h"
#include "server/read_queue.h"

namespace inkread {
namespace {

constexpr int kGood = 100, kNoText = 101, kNoFile = 200, kFileUnreadable = 202, kFileNoImage = 203, kNoBase64 = 300,
              kBase64NoImage = 301, kNoJson = 401, kNoTask = 403;

// An answer other than lines of text.
struct Message {
  int code = 0;
  std::string text;
};

// What a line asks for: an image, with the code for the case that it is none.
struct Task {
  ReadInput input;
  std::string what;  // the path, or "base64"
  int code_if_no_image = kFileNoImage;
};

std::string TextOf(const Message& message, bool ascii) {
  return JsonText({{"code", message.code}, {"data", message.text}}, ascii);
}

std::variant<Task, Message> TaskOfFile(const std::string& path, int64_t max_bytes) {
  Result<std::string> bytes = ReadLocalFile(path, max_bytes);
  if (!bytes.ok()) {
    if (bytes.status().code() == StatusCode::kNotFound)
      return Message{kNoFile, "Image path does not exist. " + bytes.status().message()};
    return Message{kFileUnreadable, "Image open failed. " + bytes.status().message()};
  }
  Task task;
  task.input.name = task.what = path;
  task.input.bytes = std::move(*bytes);
  return task;
}

// may_name_files  whether `image_path` counts
std::variant<Task, Message> TaskOf(const std::string& line, bool may_name_files, int64_t max_bytes) {
  const Result<OrderedJson> json = ParseJsonObject(line);
  if (!json.ok()) return Message{kNoJson, "Json parse failed. " + json.status().message()};
  for (const auto& [name, value] : json->items()) {
    if (!value.is_string()) continue;
    if (name == "image_base64") {
      Result<std::string> bytes = DecodeBase64(value.get_ref<const std::string&>());
      if (!bytes.ok()) return Message{kNoBase64, "Base64 decode failed. " + bytes.status().message()};
      Task task;
      task.input.bytes = std::move(*bytes);
      task.what = "base64";
      task.code_if_no_image = kBase64NoImage;
      return task;
    }
    if ((name == "image_path" || name == "image_dir") && may_name_files)
      return TaskOfFile(value.get<std::string>(), max_bytes);
  }
  return Message{kNoTask,
                 may_name_files ? "No valid tasks." : "No valid tasks. Over a port only image_base64 is read."};
}

std::string AnswerOf(const Task& task, const ReadResult& result, bool ascii) {
  const auto* const output = std::get_if<ReadOutput>(&result);
  if (output == nullptr) {
    const Status& error = std::get<ReadFailure>(result).status;
    return TextOf({task.code_if_no_image, "Image decode failed. " + task.what + ": " + error.message()}, ascii);
  }
  OrderedJson lines = OrderedJson::array();
  for (const Page& page : output->pages) {
    for (const Line& line : page.reading.lines) {
      if (line.text.empty()) continue;
      lines.push_back({{"text", line.text}, {"score", ScoreNumber(line.score)}, {"box", QuadJson(line.quad)}});
    }
  }
  if (lines.empty()) return TextOf({kNoText, "No text found in image. Path: \"" + task.what + "\""}, ascii);
  return JsonText({{"code", kGood}, {"data", std::move(lines)}}, ascii);
}

std::unique_ptr<ReadQueue> MakeQueue(const Engine& engine, int num_workers) {
  QueueLimits limits;
  limits.num_workers = num_workers;
  return std::make_unique<ReadQueue>(
      [&engine](const ImageView& image, const ReadOptions& read) { return engine.Read(image, read); }, limits);
}

bool IsExit(const std::string& line) {
  if (line == "exit") return true;
  const Result<OrderedJson> json = ParseJsonObject(line);
  return json.ok() && json->contains("exit");
}

}  // namespace

std::string AnswerPaddleOcrJson(ReadQueue* queue, const std::string& line, const PaddleOcrJsonOptions& options) {
  std::variant<Task, Message> task = TaskOf(line, /*may_name_files=*/true, options.max_bytes);
  if (const auto* const message = std::get_if<Message>(&task)) return TextOf(*message, options.ascii);
  Task& found = std::get<Task>(task);
  const ReadResult result = queue->ReadNow(std::move(found.input));
  return AnswerOf(found, result, options.ascii);
}

std::string PaddleOcrJsonFile(const Engine& engine, const std::string& path, const PaddleOcrJsonOptions& options) {
  return AnswerPaddleOcrJson(MakeQueue(engine, 1).get(), JsonText({{"image_path", path}}), options);
}

void ServePaddleOcrJson(const Engine& engine, const PaddleOcrJsonOptions& options, std::istream* in,
                        std::ostream* out) {
  const std::unique_ptr<ReadQueue> queue = MakeQueue(engine, 1);
  for (std::string line; std::getline(*in, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (IsExit(line)) return;
    *out << AnswerPaddleOcrJson(queue.get(), line, options) << std::endl;
    if (!*out) return;
  }
}

struct PaddleOcrJsonServer::Impl {
  std::unique_ptr<ReadQueue> queue;
  std::unique_ptr<LineServer> lines;
};

PaddleOcrJsonServer::PaddleOcrJsonServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PaddleOcrJsonServer::~PaddleOcrJsonServer() { Stop(); }
int PaddleOcrJsonServer::port() const { return impl_->lines->port(); }
void PaddleOcrJsonServer::Stop() {
  impl_->lines->Stop();
  impl_->queue->Stop();
}

Result<std::unique_ptr<PaddleOcrJsonServer>> PaddleOcrJsonServer::Start(const Engine& engine,
                                                                        const std::string& address, int port,
                                                                        const PaddleOcrJsonOptions& options) {
  return WithoutExceptions([&]() -> Result<std::unique_ptr<PaddleOcrJsonServer>> {
    auto impl = std::make_unique<Impl>();
    impl->queue = MakeQueue(engine, engine.Info().num_threads);
    HttpLimits limits;
    limits.max_body_bytes = options.max_bytes;
    LineServer::Handle handle = [queue = impl->queue.get(), options](std::string line, LineServer::Reply reply) {
      // Parsed on a worker; what is found wrong there comes back as an error of the job.
      struct Asked {
        Task task;
        std::optional<Message> message;
      };
      auto asked = std::make_shared<Asked>();
      ReadQueue::Job job;
      job.parse = [asked, line = std::move(line), options]() -> Result<ReadInput> {
        std::variant<Task, Message> task = TaskOf(line, /*may_name_files=*/false, options.max_bytes);
        if (auto* const message = std::get_if<Message>(&task)) {
          asked->message = std::move(*message);
          return InvalidArgument(asked->message->text);
        }
        asked->task = std::get<Task>(std::move(task));
        return std::move(asked->task.input);
      };
      job.done = [asked, options, reply = std::move(reply)](const ReadResult& result) {
        reply(asked->message ? TextOf(*asked->message, options.ascii) : AnswerOf(asked->task, result, options.ascii));
      };
      queue->Submit(std::move(job));
    };
    INKREAD_ASSIGN_OR_RETURN(impl->lines, LineServer::Listen(address, port, limits, std::move(handle)));
    return std::unique_ptr<PaddleOcrJsonServer>(new PaddleOcrJsonServer(std::move(impl)));
  });
}

}  // namespace inkread
