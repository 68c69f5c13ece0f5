# snippet:check
# snippet:doc https://perldoc.perl.org/functions/-X File tests
# snippet:prints old.log: would be deleted
# snippet:prints old.log: deleted
# snippet:prints new.log link.log
# snippet:end
use v5.36;
use File::Spec::Functions qw(catfile);

# Deletes files of one pattern not changed since $before in one folder, and calls $report for each. Not with -M: it
# counts from the start of the program, which for a service was long ago. The pattern sees the bytes of the names.
sub delete_old_files ($folder, $pattern, $before, $dry_run, $report) {
    opendir my $dir, $folder or die "$folder: $!\n";
    for my $name (sort grep { /$pattern/ } readdir $dir) {
        my $file = catfile($folder, $name);
        next if -l $file or not -f _ or (stat _)[9] >= $before;    # no links; "_": the same file again
        if    ($dry_run)     { $report->($name, 'would be deleted') }
        elsif (unlink $file) { $report->($name, 'deleted') }
        else                 { $report->($name, "$!") }       # and go on with the others
    }
    closedir $dir;
}
# snippet:check
for my $name (qw(old.log new.log)) { open my $f, '>', $name or die; close $f }
utime time - 40 * 86_400, time - 40 * 86_400, 'old.log';
symlink '/etc/hostname', 'link.log';
my $before = time - 30 * 86_400;
delete_old_files('.', qr/\.log$/, $before - 20 * 86_400, 0, sub ($name, $what) { say "too early: $name" });
for my $dry (1, 0) { delete_old_files('.', qr/\.log$/, $before, $dry, sub ($name, $what) { say "$name: $what" }) }
say join ' ', grep { -e } qw(old.log new.log link.log);
