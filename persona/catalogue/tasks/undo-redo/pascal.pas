// snippet:usage
// snippet:doc https://docwiki.embarcadero.com/RADStudio/Athens/en/Classes_and_Objects_(Delphi) Classes and objects
// snippet:prints ab|a|ab|ax|FALSE
// snippet:end
{$ifdef FPC}{$mode delphi}{$else}{$apptype console}{$endif}
// snippet:usage
program Main;
// snippet:end
uses Generics.Collections;
type
  TEdit = record Before, After: string; end;
  TDocument = class
  private
    FText: string; FUndo, FRedo: TStack<TEdit>;
    procedure SetText(const Value: string);
  public
    constructor Create; destructor Destroy; override;
    function Undo: Boolean; // False: nothing to undo
    function Redo: Boolean;
    property Text: string read FText write SetText;
  end;

constructor TDocument.Create; begin FUndo := TStack<TEdit>.Create; FRedo := TStack<TEdit>.Create; end;
destructor TDocument.Destroy; begin FUndo.Free; FRedo.Free; inherited; end;
procedure TDocument.SetText(const Value: string);
var Edit: TEdit;
begin
  if Value = FText then Exit;
  Edit.Before := FText; Edit.After := Value; FUndo.Push(Edit);
  FRedo.Clear; // something new happened: the other branch is gone
  FText := Value;
end;
function TDocument.Undo: Boolean;
begin
  Result := FUndo.Count > 0; if not Result then Exit;
  FText := FUndo.Peek.Before; FRedo.Push(FUndo.Pop);
end;
function TDocument.Redo: Boolean;
begin
  Result := FRedo.Count > 0; if not Result then Exit;
  FText := FRedo.Peek.After; FUndo.Push(FRedo.Pop);
end;

// snippet:usage
var D: TDocument;
begin
  D := TDocument.Create;
  D.Text := 'a'; D.Text := 'ab'; Write(D.Text, '|');
  D.Undo; Write(D.Text, '|');
  D.Redo; Write(D.Text, '|');
  D.Undo; D.Text := 'ax'; Write(D.Text, '|');
  WriteLn(D.Redo);
  D.Free;
end.
