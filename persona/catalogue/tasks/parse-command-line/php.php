<?php
// snippet:doc https://www.php.net/manual/en/function.getopt.php getopt
// snippet:description Read named options, with defaults for those that are not given. They stand before the files: what follows the
// snippet:description first file is a file as well. An unknown option or a wrong value before it is refused.
const USAGE = "usage: resize.php [--width=N] [--dry-run] <file>...\n";

/** @return array{width: int, dryRun: bool, files: list<string>} */
function arguments(): array
{
    $argv = $_SERVER['argv']; // which getopt reads, too
    $options = getopt('', ['width:', 'dry-run', 'help'], $rest);
    $files = array_slice($argv, $rest);
    // getopt passes over options that it does not know.
    $unknown = preg_grep('/^-(?!-(width(=.|$)|(dry-run|help)?$))./', array_slice($argv, 1, $rest - 1));
    $width = filter_var($options['width'] ?? 320, FILTER_VALIDATE_INT);
    if (isset($options['help'])) {
        exit(USAGE);
    }
    if ($unknown || $width === false || $width < 1 || $files === []) {
        fwrite(STDERR, USAGE);
        exit(2);
    }
    return ['width' => $width, 'dryRun' => isset($options['dry-run']), 'files' => $files];
}
// snippet:check
if ($argc === 1) {
    foreach ([['--width=640', '--dry-run', 'a.png', 'b.png'], ['c.png'], ['--width=0', 'a.png'], ['--widht=9', 'a.png'], ['--width=', 'a.png'], ['--help']] as $args) {
        $p = proc_open([PHP_BINARY, __FILE__, ...$args], [1 => ['pipe', 'w'], 2 => ['redirect', 1]], $pipes);
        echo trim(stream_get_contents($pipes[1])), ' -> ', proc_close($p), "\n";
    }
} else {
    echo json_encode(arguments());
}
// snippet:prints {"width":640,"dryRun":true,"files":["a.png","b.png"]} -> 0
// snippet:prints {"width":320,"dryRun":false,"files":["c.png"]} -> 0
// snippet:prints usage: resize.php [--width=N] [--dry-run] <file>... -> 2
// snippet:prints usage: resize.php [--width=N] [--dry-run] <file>... -> 2
// snippet:prints usage: resize.php [--width=N] [--dry-run] <file>... -> 2
// snippet:prints usage: resize.php [--width=N] [--dry-run] <file>... -> 0
