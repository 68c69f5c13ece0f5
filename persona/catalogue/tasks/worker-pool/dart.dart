// snippet:doc https://dart.dev/language/concurrency Concurrency in Dart
// snippet:prints [1, 4, 9, 16, 25, 36] 3
// snippet:prints []
// snippet:prints broken true
/// Runs [work] that waits (files, networks) on all [jobs], at most [workers] at a time. The results stand in
/// the order of the jobs; after the first error no further job begins, and the error is the future's.
Future<List<R>> pooled<T, R>(
  List<T> jobs,
  Future<R> Function(T job) work, {
  int workers = 4,
}) async {
  if (workers < 1) throw ArgumentError.value(workers, 'workers', 'expected 1 or more');
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

// snippet:check
Future<void> main() async {
  var running = 0, most = 0;
  final squares = await pooled([1, 2, 3, 4, 5, 6], (n) async {
    most = ++running > most ? running : most;
    await Future<void>.delayed(Duration(milliseconds: n.isEven ? 1 : 20));
    running--;
    return n * n;
  }, workers: 3);
  print('$squares $most');
  print(await pooled(<int>[], (n) async => n));
  var begun = 0;
  try {
    await pooled([for (var i = 0; i < 100; i++) i], (n) async {
      begun++;
      await Future<void>.delayed(const Duration(milliseconds: 1));
      if (n == 3) throw 'broken';
    });
  } catch (e) {
    await Future<void>.delayed(const Duration(milliseconds: 100));
    print('$e ${begun < 10}');
  }
}
