// snippet:doc https://dart.dev/language/concurrency Concurrency in Dart
/// Runs [work] on all [jobs], at most [workers] at a time. The results stand in the order of the jobs;
/// after the first error no further job begins, and the error is the future's.
Future<List<R>> pooled<T, R>(
  List<T> jobs,
  Future<R> Function(T job) work, {
  int workers = 4,
}) async {
  final results = <int, R>{};
  var next = 0;
  var failed = false;

  Future<void> worker() async {
    while (!failed && next < jobs.length) {
      final i = next++; // no lock: an isolate runs one piece of code at a time
      try {
        results[i] = await work(jobs[i]);
      } catch (_) {
        failed = true;
        rethrow;
      }
    }
  }

  await Future.wait([for (var i = 0; i < workers; i++) worker()]);
  return [for (var i = 0; i < jobs.length; i++) results[i] as R];
}
