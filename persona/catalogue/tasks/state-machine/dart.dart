// snippet:doc https://dart.dev/language/patterns Patterns
// snippet:prints paused
// snippet:prints null play pause
// snippet:prints no pause while stopped
enum Playback { stopped, buffering, playing, paused }

enum Command { play, ready, pause, stop }

/// The state after a command; a [StateError] if the command is not allowed now.
Playback next(Playback state, Command command) => switch ((state, command)) {
      (_, Command.stop) => Playback.stopped,
      (Playback.stopped, Command.play) => Playback.buffering,
      (Playback.buffering, Command.ready) => Playback.playing,
      (Playback.playing, Command.pause) => Playback.paused,
      (Playback.paused, Command.play) => Playback.playing,
      _ => throw StateError('no ${command.name} while ${state.name}'),
    };

/// What the button offers. No default case: the compiler names a state that is forgotten here.
Command? offered(Playback state) => switch (state) {
      Playback.stopped || Playback.paused => Command.play,
      Playback.playing => Command.pause,
      Playback.buffering => null,
    };

void main() {
  const commands = [Command.play, Command.ready, Command.pause];
  print(commands.fold(Playback.stopped, next).name); // paused
  // snippet:check
  print('${offered(Playback.buffering)?.name} ${offered(Playback.paused)?.name} ${offered(Playback.playing)?.name}');
  try {
    next(Playback.stopped, Command.pause);
  } on StateError catch (e) {
    print(e.message);
  }
  // snippet:end
}
