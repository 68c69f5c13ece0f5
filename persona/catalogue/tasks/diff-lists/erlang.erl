%% snippet:doc https://www.erlang.org/doc/apps/stdlib/maps.html maps
%% snippet:prints {added,log,json}
%% snippet:prints {changed,port,80,443}
%% snippet:prints {removed,tls,off}
-module(diff).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([diff/2]).

%% What turns one map into another, as a list ordered by key.
diff(Before, After) ->
    Keys = lists:sort(maps:keys(maps:merge(Before, After))),
    lists:filtermap(
        fun(Key) -> change(Key, maps:find(Key, Before), maps:find(Key, After)) end,
        Keys
    ).

change(_Key, Same, Same) -> false;
change(Key, error, {ok, New}) -> {true, {added, Key, New}};
change(Key, {ok, Old}, error) -> {true, {removed, Key, Old}};
change(Key, {ok, Old}, {ok, New}) -> {true, {changed, Key, Old, New}}.
%% snippet:check
main() ->
    Changes = diff(#{port => 80, host => "a", tls => off}, #{port => 443, host => "a", log => json}),
    [io:format("~p~n", [C]) || C <- Changes].
