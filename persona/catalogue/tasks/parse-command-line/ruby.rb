# snippet:doc https://docs.ruby-lang.org/en/3.4/OptionParser.html OptionParser
require "optparse"

Options = Struct.new(:width, :format, :dry_run, :files)

def parse(argv)
  options = Options.new(320, :png, false)
  parser = OptionParser.new("usage: resize [options] FILE...") do |on| # the names of options may be cut short: --wid
    on.on("-w", "--width PIXELS", OptionParser::DecimalInteger, "pixels (default: 320)") do |w|
      raise OptionParser::InvalidArgument, "must be above 0" unless w.positive?
      options.width = w
    end
    on.on("-f", "--format NAME", %i[png jpeg webp], "png, jpeg or webp, or the start of one") { |f| options.format = f }
    on.on("-n", "--dry-run", "only say what would be done") { options.dry_run = true }
  end
  options.files = parser.parse(argv)
  raise OptionParser::MissingArgument, "FILE" if options.files.empty?
  options
rescue OptionParser::ParseError => e
  abort "#{e.message}\n#{parser}"
end
# snippet:usage
# snippet:prints [640, :webp, false, ["a.png", "b.png"]]
p parse(%w[-w 640 --format webp a.png b.png]).to_a
# snippet:check
# snippet:prints invalid argument: --format tiff
# snippet:prints usage: resize [options] FILE...
# snippet:prints     -w, --width PIXELS               pixels (default: 320)
# snippet:prints     -f, --format NAME                png, jpeg or webp, or the start of one
# snippet:prints     -n, --dry-run                    only say what would be done
# snippet:prints exit 1
$stderr = $stdout
begin
  parse(%w[--format tiff a.png])
rescue SystemExit => e
  puts "exit #{e.status}"
end
