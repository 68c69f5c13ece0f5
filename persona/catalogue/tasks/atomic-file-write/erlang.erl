%% snippet:doc https://www.erlang.org/doc/apps/kernel/file.html file
%% snippet:prints {"a":1} []
%% snippet:prints {error,enoent}
-module(atomic_file).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([write/2]).

%% Replaces Path: readers see the old content or the new one, never half of it.
-spec write(file:filename(), iodata()) -> ok | {error, file:posix()}.
write(Path, Content) ->
    Unique = integer_to_list(erlang:unique_integer([positive])),
    Temporary = Path ++ "." ++ Unique ++ ".tmp",
    Steps = [
        %% sync: the data is on the disk before it gets its name
        fun() -> file:write_file(Temporary, Content, [exclusive, sync, raw]) end,
        fun() -> file:rename(Temporary, Path) end
    ],
    case run(Steps) of
        ok -> ok;
        Error -> _ = file:delete(Temporary), Error
    end.

run([]) -> ok;
run([Step | Rest]) ->
    case Step() of
        ok -> run(Rest);
        {error, _} = Error -> Error
    end.
%% snippet:check
main() ->
    ok = write("settings.json", "{}"),
    ok = write("settings.json", ["{\"a\":", "1}"]),
    {ok, Data} = file:read_file("settings.json"),
    io:format("~s ~p~n", [Data, filelib:wildcard("*.tmp")]),
    io:format("~p~n", [write("no/such/file", "")]).
