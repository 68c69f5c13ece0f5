# snippet:doc https://docs.ruby-lang.org/en/master/Pathname.html Pathname
require "pathname"

# Deletes files of a pattern older than a number of days, in one folder only, and yields what happens to each.
def delete_old_files(folder, pattern, days:, now: Time.now, dry_run: true)
  limit = now - days * 86_400
  Pathname(folder).children.sort.each do |file|
    result = begin
      next unless file.basename.fnmatch?(pattern) && file.lstat.file? && file.lstat.mtime < limit # no links

      file.delete unless dry_run
      dry_run ? "would be deleted" : "deleted"
    rescue SystemCallError => e
      e.message # and go on with the others
    end
    yield file, result
  end
end
# snippet:usage
require "fileutils"

FileUtils.mkdir_p("demo_logs")
{ "old.log" => 40, "new.log" => 2, "old.txt" => 40 }.each do |name, age|
  FileUtils.touch(File.join("demo_logs", name), mtime: Time.now - age * 86_400)
end
[true, false].each do |dry_run|
  delete_old_files("demo_logs", "*.log", days: 30, dry_run: dry_run) { |file, what| puts "#{file}: #{what}" }
end
# snippet:prints demo_logs/old.log: would be deleted
# snippet:prints demo_logs/old.log: deleted
# snippet:check
File.symlink("/etc/hostname", "demo_logs/link.log")
delete_old_files("demo_logs", "*.log", days: 0, now: Time.now + 86_400, dry_run: false) { |file, _| puts file }
p Dir.children("demo_logs").sort
# snippet:prints demo_logs/new.log
# snippet:prints ["link.log", "old.txt"]
