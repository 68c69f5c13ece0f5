# snippet:check
# snippet:doc https://docs.ruby-lang.org/en/master/Pathname.html Pathname
# snippet:prints old.log: would be deleted
# snippet:prints old.log: deleted
# snippet:prints ["link.log", "new.log", "old.txt"]
# snippet:end
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
# snippet:check
require "tmpdir"
Dir.mktmpdir("[a]") do |folder|
  now = Time.utc(2026, 3, 31)
  { "old.log" => 40, "new.log" => 2, "old.txt" => 40 }.each do |name, age|
    File.write(File.join(folder, name), "")
    File.utime(now, now - age * 86_400, File.join(folder, name))
  end
  File.symlink("/etc/hostname", File.join(folder, "link.log"))
  [true, false].each { |dry| delete_old_files(folder, "*.log", days: 30, now:, dry_run: dry) { |file, what| puts "#{file.basename}: #{what}" } }
  p Dir.children(folder).sort
end
