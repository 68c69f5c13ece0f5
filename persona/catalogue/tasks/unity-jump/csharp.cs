// snippet:doc https://docs.unity3d.com/ScriptReference/Rigidbody-linearVelocity.html Rigidbody.linearVelocity
// snippet:about Unity 3D
// snippet:needs Unity 6
using UnityEngine;
using UnityEngine.InputSystem;

[RequireComponent(typeof(Rigidbody))]
public class Jump : MonoBehaviour
{
    [SerializeField] InputActionReference jump; // of this object alone: OnDisable turns the action off
    [SerializeField] LayerMask ground;
    [SerializeField] Transform feet;
    [SerializeField] float height = 1.5f;
    Rigidbody body;
    float pressedAt = float.NegativeInfinity;

    void Awake() => body = GetComponent<Rigidbody>();
    void OnEnable() => jump.action.Enable();
    void OnDisable() => jump.action.Disable();

    void Update()
    {
        if (jump.action.WasPressedThisFrame()) pressedAt = Time.time;
    }

    void FixedUpdate()
    {
        if (Time.time - pressedAt > 0.1f || !OnGround()) return;
        pressedAt = float.NegativeInfinity;
        Vector3 velocity = body.linearVelocity;
        velocity.y = Mathf.Sqrt(-2 * Physics.gravity.y * height);
        body.linearVelocity = velocity;
    }

    bool OnGround() => Physics.CheckSphere(feet.position, 0.1f, ground, QueryTriggerInteraction.Ignore);
}
