// snippet:doc https://docs.unity3d.com/ScriptReference/Networking.UnityWebRequest.html UnityWebRequest
// snippet:about Unity 3D
// snippet:needs Unity 6
using System;
using System.IO;
using System.Threading;
using UnityEngine;
using UnityEngine.Networking;

[Serializable]
public class Scores
{
    public Entry[] entries = Array.Empty<Entry>();

    [Serializable]
    public class Entry
    {
        public string name;
        public int points;
    }

    // From a MonoBehaviour: await Scores.Load(url, destroyCancellationToken)
    public static async Awaitable<Scores> Load(string url, CancellationToken cancellation)
    {
        using UnityWebRequest request = UnityWebRequest.Get(url);
        request.timeout = 10; // seconds; on Android, for each redirect
        UnityWebRequestAsyncOperation sent = request.SendWebRequest();
        using (cancellation.Register(request.Abort)) await sent;
        cancellation.ThrowIfCancellationRequested();
        if (request.result != UnityWebRequest.Result.Success)
            throw new IOException($"{url}: {request.error}");
        return JsonUtility.FromJson<Scores>(request.downloadHandler.text) // ArgumentException: no JSON
            ?? throw new IOException($"{url}: the answer is empty");
    }
}
