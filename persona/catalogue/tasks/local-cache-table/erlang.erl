%% snippet:doc https://www.erlang.org/doc/apps/stdlib/ets.html ets
%% snippet:title A cache with a time to live, in ETS
%% snippet:description Keep values in a table in memory until they are too old, and load what is missing or stale. Two processes that
%% snippet:description miss the same key at the same time both load it.
%% snippet:why All processes read one table, without a message to its owner.
%% snippet:prints 1 true
%% snippet:prints false 0
-module(cache).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([new/1, fetch/3, purge/1]).

%% The table can be used from all processes, and ends with the one that made it.
new(TtlMs) ->
    Table = ets:new(?MODULE, [set, public, {read_concurrency, true}]),
    {Table, TtlMs}.

%% The cached value of Key, or the result of Load, which is then kept.
fetch({Table, TtlMs}, Key, Load) ->
    Now = erlang:monotonic_time(millisecond),
    case ets:lookup(Table, Key) of
        [{Key, Value, Until}] when Until > Now ->
            Value;
        _MissingOrStale ->
            Loaded = Load(),
            Expires = erlang:monotonic_time(millisecond) + TtlMs, % loading may take long
            true = ets:insert(Table, {Key, Loaded, Expires}),
            Loaded
    end.

%% Throws out what has expired and returns how many; call it from a timer.
purge({Table, _TtlMs}) ->
    Now = erlang:monotonic_time(millisecond),
    ets:select_delete(Table, [{{'_', '_', '$1'}, [{'=<', '$1', Now}], [true]}]).
%% snippet:check
main() ->
    Cache = new(300),
    Load = fun() -> erlang:unique_integer([monotonic]) end,
    A = fetch(Cache, key, Load),
    B = fetch(Cache, key, Load),
    timer:sleep(400),
    io:format("~p ~p~n", [purge(Cache), A =:= B]),
    io:format("~p ~p~n", [A =:= fetch(Cache, key, Load), purge(Cache)]).
