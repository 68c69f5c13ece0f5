// snippet:doc https://docs.unity3d.com/ScriptReference/Physics.OverlapSphereNonAlloc.html Physics.OverlapSphereNonAlloc
// snippet:about Unity 3D
using UnityEngine;

public class Turret : MonoBehaviour
{
    [SerializeField] float range = 12;
    [SerializeField] LayerMask enemies;
    readonly Collider[] found = new Collider[32];

    /// <returns>The nearest collider's transform; null: nobody is in range.</returns>
    public Transform Nearest()
    {
        Vector3 here = transform.position;
        int count = Physics.OverlapSphereNonAlloc(here, range, found, enemies, QueryTriggerInteraction.Ignore);
        Transform nearest = null;
        float least = float.PositiveInfinity;
        for (int i = 0; i < count; i++)
        {
            float square = (found[i].transform.position - here).sqrMagnitude;
            if (square >= least) continue;
            least = square;
            nearest = found[i].transform;
        }
        return nearest;
    }
}
