package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// attackersCommand is the first argument of a process of attackers; the others are
// the number of slow clients, the name of the kind, the address, and how long.
const attackersCommand = "attackers"

// begun is what it prints when all of them have come.
const begun = "begun"

// gathering is how long they have for that.
const gathering = 2 * time.Minute

// attackersProcess attacks in a process of its own.
type attackersProcess struct {
	*exec.Cmd
	// begun is closed when all have come.
	begun chan struct{}
	// attempts is what they did; it is closed after the end.
	attempts chan attempts
}

// attempts are what attackers did.
type attempts struct {
	connections, bytes int64 // that they sent
}

// startAttackers starts a process that attacks with clients of a kind, for as long
// after the first moment in which all of them have come.
//
// Attackers are elsewhere, and compute with processors of their own. Here they
// share the machine's, so they yield to the server and the probe (nice 10).
func startAttackers(slow int, k kind, address string, duration time.Duration) (*attackersProcess, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := []string{executable, attackersCommand, strconv.Itoa(slow), k.name, address, duration.String()}
	if nice, err := exec.LookPath("nice"); err == nil {
		command = append([]string{nice, "-n", "10"}, command...)
	}
	p := &attackersProcess{Cmd: exec.Command(command[0], command[1:]...), begun: make(chan struct{}), attempts: make(chan attempts, 1)}
	p.Stderr = os.Stderr
	out, err := p.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.Start(); err != nil {
		return nil, err
	}
	go p.listen(out)
	return p, nil
}

// listen reads what the process prints.
func (p *attackersProcess) listen(out io.Reader) {
	defer close(p.attempts)
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != begun {
		return
	}
	close(p.begun)
	if lines.Scan() {
		var a attempts
		if _, err := fmt.Sscan(lines.Text(), &a.connections, &a.bytes); err == nil {
			p.attempts <- a
		}
	}
}

// end waits until the process has ended, and returns what they did.
func (p *attackersProcess) end() (attempts, error) {
	a, complete := <-p.attempts
	if err := p.Wait(); err != nil || !complete {
		return a, fmt.Errorf("the attackers did not come, or ended early: %w", err)
	}
	return a, nil
}

// attackers is the main function of such a process.
func attackers(arguments []string) error {
	if len(arguments) != 4 {
		return errors.New("attackers: four arguments expected")
	}
	slow, err := strconv.Atoi(arguments[0])
	if err != nil {
		return err
	}
	duration, err := time.ParseDuration(arguments[3])
	if err != nil {
		return err
	}
	for _, k := range append(kinds(slow), holders(slow)...) {
		if k.name != arguments[1] {
			continue
		}
		connections, bytes := k.attack(arguments[2])
		for deadline := time.Now().Add(gathering); connections.Load() < int64(k.connections); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				return fmt.Errorf("only %d of %d clients could connect within %v", connections.Load(), k.connections, gathering)
			}
		}
		fmt.Println(begun)
		time.Sleep(duration)
		fmt.Println(connections.Load(), bytes.Load())
		return nil // which closes all connections
	}
	return fmt.Errorf("attackers: no kind %q", arguments[1])
}
