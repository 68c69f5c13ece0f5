// snippet:doc https://docs.unity3d.com/ScriptReference/SceneManagement.SceneManager.LoadSceneAsync.html LoadSceneAsync
// snippet:about Unity 3D
using System.Collections;
using UnityEngine;
using UnityEngine.SceneManagement;
using UnityEngine.UI;

public class LoadingScreen : MonoBehaviour
{
    [SerializeField] Slider bar; // from 0 to 1

    AsyncOperation loading;

    public void Load(string scene)
    {
        if (loading == null) StartCoroutine(Loading(scene)); // a second one would wait behind the first
    }

    IEnumerator Loading(string scene)
    {
        loading = SceneManager.LoadSceneAsync(scene);
        if (loading == null) yield break; // no such scene in the build, which Unity logs
        loading.allowSceneActivation = false;
        while (loading.progress < 0.9f)
        {
            bar.value = loading.progress / 0.9f;
            yield return null; // until the next frame
        }
        bar.value = 1;
        yield return null;
        loading.allowSceneActivation = true;
        yield return loading;
        loading = null; // a screen that stays can load the next one
    }
}
