// snippet:doc https://docs.unity3d.com/ScriptReference/Pool.ObjectPool_1.html ObjectPool
// snippet:about Unity 3D
// snippet:needs Unity 6
using System.Collections;
using UnityEngine;
using UnityEngine.Pool;

public class Cannon : MonoBehaviour
{
    [SerializeField] Rigidbody prefab;
    [SerializeField] float speed = 20;
    [SerializeField] float lifetime = 3;
    ObjectPool<Rigidbody> pool;

    void Awake() => pool = new ObjectPool<Rigidbody>(
        createFunc: () => Instantiate(prefab),
        actionOnRelease: ball => ball.gameObject.SetActive(false),
        actionOnDestroy: ball => { if (ball) Destroy(ball.gameObject); }, // the scene may have gone first
        maxSize: 64);

    void OnDestroy() => pool.Dispose();

    public void Fire()
    {
        if (isActiveAndEnabled) StartCoroutine(Fly(pool.Get()));
    }

    IEnumerator Fly(Rigidbody ball)
    {
        ball.transform.SetPositionAndRotation(transform.position, transform.rotation);
        ball.gameObject.SetActive(true);
        ball.linearVelocity = transform.forward * speed;
        ball.angularVelocity = Vector3.zero;
        yield return new WaitForSeconds(lifetime);
        if (ball) pool.Release(ball); // not if something destroyed it
    }
}
