// snippet:description The states and commands of a player, and every allowed step between them, in one function. A command that the
// snippet:description current state does not allow returns NO and changes nothing.
// snippet:doc https://developer.apple.com/documentation/swift/grouping-related-objective-c-constants NS_ENUM
// snippet:prints 1:1 1:2 0:2 1:3 1:2 1:0
#import <Foundation/Foundation.h>

typedef NS_ENUM(NSInteger, PlayerState) {
    PlayerStopped, PlayerBuffering, PlayerPlaying, PlayerPaused
};
typedef NS_ENUM(NSInteger, PlayerEvent) { PlayerPlay, PlayerReady, PlayerPause, PlayerStop };

/// Writes the next state; NO if the event is not allowed in this state. There
/// is no default case, so the compiler names a state that was forgotten.
BOOL NextPlayerState(PlayerState state, PlayerEvent event, PlayerState *next)
{
    if (event == PlayerStop) {
        *next = PlayerStopped;
        return YES;
    }
    PlayerState target = state;
    switch (state) {
        case PlayerStopped:   if (event == PlayerPlay)  target = PlayerBuffering; break;
        case PlayerBuffering: if (event == PlayerReady) target = PlayerPlaying;   break;
        case PlayerPlaying:   if (event == PlayerPause) target = PlayerPaused;    break;
        case PlayerPaused:    if (event == PlayerPlay)  target = PlayerPlaying;   break;
    }
    if (target == state) return NO;
    *next = target;
    return YES;
}
// snippet:usage
int main(void)
{
    PlayerState state = PlayerStopped;
    const PlayerEvent events[] = {PlayerPlay, PlayerReady, PlayerReady, PlayerPause, PlayerPlay, PlayerStop};
    for (int i = 0; i < 6; i++) {
        BOOL moved = NextPlayerState(state, events[i], &state);
        printf("%d:%ld ", moved, (long)state);
    }
    puts("");
    return 0;
}
