// snippet:doc https://docs.unity3d.com/Packages/com.unity.test-framework@1.4/manual/reference-attribute-unitytest.html UnityTest
// snippet:into Put it into a folder of Play mode tests, which the Test Runner window makes.
// snippet:about Unity 3D
using System.Collections;
using NUnit.Framework;
using UnityEngine;
using UnityEngine.TestTools;

public class FallingTests
{
    Rigidbody ball;

    [SetUp]
    public void Create() => ball = new GameObject("ball").AddComponent<Rigidbody>();

    [TearDown]
    public void Remove() => Object.Destroy(ball.gameObject);

    [UnityTest]
    public IEnumerator FallsByGravity()
    {
        yield return new WaitForSeconds(0.5f);
        Assert.That(ball.position.y, Is.InRange(-5f, -0.5f)); // about 1.2 m
    }

    [UnityTest]
    public IEnumerator StaysWithoutGravity()
    {
        ball.useGravity = false;
        yield return new WaitForSeconds(0.5f);
        Assert.That(ball.position.y, Is.Zero);
    }
}
