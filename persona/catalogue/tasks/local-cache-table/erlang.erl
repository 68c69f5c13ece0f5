%% snippet:doc https://www.erlang.org/doc/apps/stdlib/ets.html ets
%% snippet:prints 1 true
%% snippet:prints false 0
-module(cache).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([new/1, fetch/3, purge/1]).

%% A cache with a time to live in an ETS table, readable from all processes.
new(TtlMs) ->
    Table = ets:new(?MODULE, [set, public, {read_concurrency, true}]),
    {Table, TtlMs}.

%% The cached value of Key, or the result of Load, which is then kept.
fetch({Table, TtlMs}, Key, Load) ->
    Now = erlang:monotonic_time(millisecond),
    case ets:lookup(Table, Key) of
        [{Key, Value, Expires}] when Expires > Now ->
            Value;
        _MissingOrStale ->
            Value = Load(),
            true = ets:insert(Table, {Key, Value, Now + TtlMs}),
            Value
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
