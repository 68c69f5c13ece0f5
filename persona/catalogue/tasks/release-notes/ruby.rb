# snippet:doc https://docs.ruby-lang.org/en/master/Enumerable.html#method-i-slice_before Enumerable#slice_before
# The notes of one version, as they stand in a changelog with headings such as "## [1.2.0] - 2026-03-01".
def release_notes(changelog, version)
  heading = /\A##\s+\[?v?#{Regexp.escape(version)}\]?([\s(]|$)/ # escaped: the dots are dots
  section = changelog.lines.slice_before(/\A## /).find { |lines| lines.first.match?(heading) }
  notes = section&.drop(1)&.join.to_s.sub(/\A\s*\n/, "").rstrip # the first line keeps its indentation
  raise ArgumentError, "CHANGELOG.md has no section for #{version}" if section.nil?
  raise ArgumentError, "the section for #{version} is empty" if notes.empty?

  notes
end
# snippet:usage
log = "# Changes\n\n## [1.20.1]\n- Other\n\n## [1.2.0] - 2026-03-01\n\n### Fixed\n- A crash.\n"
puts release_notes(log, "1.2.0")
# snippet:prints ### Fixed
# snippet:prints - A crash.
# snippet:check
log += "\n## [1.1.0](https://example.com)\n- Old\n\n## 1.0.0\n\n \n    code\n  \n"
raise unless release_notes(log, "1.1.0") == "- Old" && release_notes(log, "1.0.0") == "    code"
begin
  release_notes(log, "9.9.9")
rescue ArgumentError => e
  puts e.message
end
# snippet:prints CHANGELOG.md has no section for 9.9.9
