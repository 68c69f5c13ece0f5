// snippet:doc https://docs.unity3d.com/ScriptReference/Application-persistentDataPath.html Application.persistentDataPath
// snippet:about Unity 3D
using System;
using System.IO;
using UnityEngine;

[Serializable]
public class GameState
{
    public int level = 1;
    public int coins;

    static string FilePath => Path.Combine(Application.persistentDataPath, "game.json");

    public void Save()
    {
        string written = FilePath + ".new";
        File.WriteAllText(written, JsonUtility.ToJson(this));
        if (File.Exists(FilePath)) File.Replace(written, FilePath, FilePath + ".bak");
        else File.Move(written, FilePath);
    }

    public static GameState Load()
    {
        foreach (string path in new[] { FilePath, FilePath + ".bak" })
        {
            if (!File.Exists(path)) continue;
            try
            {
                GameState state = JsonUtility.FromJson<GameState>(File.ReadAllText(path));
                if (state != null) return state; // null: the file is empty
            }
            catch (ArgumentException broken) { Debug.LogWarning($"{path}: {broken.Message}"); }
        }
        return new GameState();
    }
}
