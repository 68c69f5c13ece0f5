// snippet:doc https://docs.unity3d.com/ScriptReference/SceneManagement.SceneManager.LoadSceneAsync.html LoadSceneAsync
// snippet:about Unity 3D
using System.Collections;
using UnityEngine;
using UnityEngine.SceneManagement;
using UnityEngine.UI;

public class LoadingScreen : MonoBehaviour
{
    [SerializeField] Slider bar; // from 0 to 1

    public void Load(string scene) => StartCoroutine(Loading(scene));

    IEnumerator Loading(string scene)
    {
        AsyncOperation loading = SceneManager.LoadSceneAsync(scene);
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
    }
}
