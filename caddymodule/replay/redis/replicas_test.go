//go:build unix

package redis

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// startReplica starts the replica of a server, and waits until the server knows it.
func startReplica(t *testing.T, master *server) *server {
	t.Helper()
	replica := startServer(t, "--replicaof", "127.0.0.1 "+strconv.Itoa(master.port))
	require.Eventually(t, func() bool { return replicas(master) == 1 }, time.Minute, 20*time.Millisecond)
	return replica
}

// replicas is how many replicas a server has that are up to date.
func replicas(master *server) int { return len(master.do("role").([]any)[2].([]any)) }

// promote makes a replica the master of its own, and its master does not know: what
// Sentinels do when they can't reach it.
func promote(t *testing.T, replica *server) {
	t.Helper()
	replica.do("replicaof", "no", "one")
	require.Equal(t, "master", replica.do("role").([]any)[0])
}

// confirmed is a store whose claims a replica has to confirm. A patient one gives a
// busy machine fifteen seconds for it.
func confirmed(t *testing.T, url string, patient bool) *Store {
	store := &Store{URL: url, WaitReplicas: 1}
	if patient {
		store.timeout = time.Minute
	}
	return provision(t, store)
}

func TestAMasterThatWasReplacedForgetsItsClaims(t *testing.T) {
	master := startServer(t)
	replica := startReplica(t, master)
	promote(t, replica)
	mustClaim(t, provision(t, &Store{URL: master.url()}), key(1))
	mustClaim(t, provision(t, &Store{URL: replica.url()}), key(1)) // a second time
}

func TestWithWaitReplicasAMasterThatWasReplacedTakesNoClaims(t *testing.T) {
	master := startServer(t)
	replica := startReplica(t, master)
	patient, store := confirmed(t, master.url(), true), confirmed(t, master.url(), false)
	mustClaim(t, patient, key(1))
	swapped, err := patient.CompareAndSwap(t.Context(), key(2), nil, []byte("first"), time.Minute)
	require.NoError(t, err)
	require.True(t, swapped)
	swapped, err = patient.CompareAndSwap(t.Context(), key(4), nil, nil, 0)
	require.NoError(t, err)
	require.True(t, swapped)
	require.Zero(t, master.do("exists", defaultKeyPrefix+encode(key(4))))
	require.NoError(t, patient.Ping(t.Context()))

	promote(t, replica)
	require.Eventually(t, func() bool { return replicas(master) == 0 }, time.Minute, 20*time.Millisecond, "its replica is gone")
	requireClaimed(t, store, key(1))
	require.ErrorContains(t, requireUndecided(t, store, key(3)), "wait_replicas: 0 of 1 replicas have confirmed within 750ms")
	require.Zero(t, master.do("exists", defaultKeyPrefix+encode(key(3))), "the claim was given back")
	_, err = store.CompareAndSwap(t.Context(), key(2), []byte("first"), []byte("second"), time.Minute)
	require.ErrorContains(t, err, "wait_replicas")
	_, err = store.CompareAndSwap(t.Context(), key(4), nil, nil, 0)
	require.ErrorContains(t, err, "wait_replicas", "nor does it stand by what it does not have")
	require.ErrorContains(t, store.Ping(t.Context()), "wait_replicas", "it is not ready")

	after := provision(t, &Store{URL: replica.url()})
	requireClaimed(t, after, key(1))
	mustClaim(t, after, key(3))
	value, _, err := after.Load(t.Context(), key(2))
	require.NoError(t, err)
	require.Equal(t, "first", string(value))
}

func TestAReplicaThatHangsConfirmsNothing(t *testing.T) {
	master := startServer(t)
	replica := startReplica(t, master)
	patient, store := confirmed(t, master.url(), true), confirmed(t, master.url(), false)
	mustClaim(t, patient, key(1))
	replica.pause()
	requireUndecided(t, store, key(2))
	requireClaimed(t, store, key(1))
	replica.resume()
	mustClaim(t, patient, key(2)) // it was given back
	requireClaimed(t, store, key(2))
}

func TestWithWaitReplicasALostReplyIsNotEnough(t *testing.T) {
	master := startServer(t)
	startReplica(t, master)
	proxy := startProxy(t, master.address())
	store := confirmed(t, "redis://"+proxy.address(), true)
	proxy.lose(0, 1)
	requireUndecided(t, store, key(1))
	require.EqualValues(t, 1, proxy.sets.Load(), "SET is sent once")
	mustClaim(t, store, key(1)) // it was given back
}

func TestWithWaitReplicasAUserNeedsWait(t *testing.T) {
	master := startServer(t)
	startReplica(t, master)
	master.do("acl", "setuser", "gateway", "on", ">s3cret", "~"+defaultKeyPrefix+"*", "+set", "+get", "+del", "+eval", "+info")
	store := provision(t, &Store{URL: "redis://gateway@" + master.address(), Password: "s3cret", WaitReplicas: 1, timeout: time.Minute})
	require.ErrorContains(t, requireUndecided(t, store, key(1)), "wait")
	master.do("acl", "setuser", "gateway", "+wait")
	mustClaim(t, store, key(1))
}

func TestWaitReplicasInACluster(t *testing.T) {
	node := startCluster(t, 1)[0]
	store := provision(t, &Store{URL: "redis+cluster://" + node.address(), WaitReplicas: 1})
	require.ErrorContains(t, requireUndecided(t, store, key(1)), "0 of 1 replicas")

	replica, bus := startNode(t)
	require.Eventually(t, func() bool {
		node.do("cluster", "meet", "127.0.0.1", replica.port, bus)
		return len(node.do("cluster", "slots").([]any)) == len(replica.do("cluster", "slots").([]any))
	}, time.Minute, 300*time.Millisecond)
	replica.do("cluster", "replicate", node.do("cluster", "myid"))
	require.Eventually(t, func() bool { return replicas(node) == 1 }, time.Minute, 50*time.Millisecond)
	patient := provision(t, &Store{URL: store.URL, WaitReplicas: 1, timeout: time.Minute})
	claim := mustClaim(t, patient, key(1))
	requireClaimed(t, store, key(1))
	require.NoError(t, claim.Release(t.Context()))
	mustClaim(t, patient, key(1))
}
