// Command sumdb reads a running Corrigenda with Go's own transparency log code, the one that the
// module mirror of Go is checked with: sumdb/note for checkpoints, sumdb/tlog for tiles and proofs.
//
// It takes the address of the pages, the verifier key, and the size of an older checkpoint, and
// ends with status 1 and a reason when anything does not verify.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

// site is the address of the pages.
type site string

func (s site) get(path string) ([]byte, error) {
	answer, err := http.Get(string(s) + path)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", path, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

// checkpoint opens a signed note and reads the three lines in it.
func (s site) checkpoint(path string, key note.Verifier) (tlog.Tree, error) {
	var tree tlog.Tree
	text, err := s.get(path)
	if err != nil {
		return tree, err
	}
	opened, err := note.Open(text, note.VerifierList(key))
	if err != nil {
		return tree, fmt.Errorf("%s: %w", path, err)
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != key.Name() {
		return tree, fmt.Errorf("%s: not the checkpoint of %s", path, key.Name())
	}
	if tree.N, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return tree, err
	}
	tree.Hash, err = tlog.ParseHash(lines[2])
	return tree, err
}

// Height, ReadTiles and SaveTiles make a site a tlog.TileReader. Go's own servers have the height
// of tiles in the address; tlog-tiles, where it is always 8, has not.
func (s site) Height() int { return height }

func (s site) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range tiles {
		path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", height), "/tile/", 1)
		data, err := s.get(path)
		if err != nil {
			return nil, err
		}
		found = append(found, data)
	}
	return found, nil
}

func (s site) SaveTiles([]tlog.Tile, [][]byte) {}

// entry is an entry of the bundle that it lies in.
func (s site) entry(index, size int64) ([]byte, error) {
	number, width := index/256, size-index/256*256
	path := fmt.Sprintf("/tile/entries/%03d", number)
	if width < 256 {
		path += fmt.Sprintf(".p/%d", width)
	}
	data, err := s.get(path)
	if err != nil {
		return nil, err
	}
	for at := index % 256; ; at-- {
		length := binary.BigEndian.Uint16(data)
		if at == 0 {
			return data[2 : 2+length], nil
		}
		data = data[2+length:]
	}
}

// proof is the list of hashes in a JSON answer.
func (s site) proof(path string) ([]tlog.Hash, error) {
	data, err := s.get(path)
	if err != nil {
		return nil, err
	}
	var answer struct{ Proof []string }
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, err
	}
	var hashes []tlog.Hash
	for _, text := range answer.Proof {
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, err
		}
		var hash tlog.Hash
		if copy(hash[:], raw) != len(hash) {
			return nil, fmt.Errorf("%s: a hash of %d bytes", path, len(raw))
		}
		hashes = append(hashes, hash)
	}
	return hashes, nil
}

// included verifies a leaf with a proof made from tiles, and with the one that the site gives.
func (s site) included(tree tlog.Tree, index int64) error {
	entry, err := s.entry(index, tree.N)
	if err != nil {
		return err
	}
	leaf := tlog.RecordHash(entry)
	made, err := tlog.ProveRecord(tree.N, index, tlog.TileHashReader(tree, s))
	if err != nil {
		return err
	}
	given, err := s.proof(fmt.Sprintf("/proof/inclusion?index=%d&size=%d", index, tree.N))
	if err != nil {
		return err
	}
	wrong := tlog.RecordHash(append(append([]byte{}, entry...), 0))
	for _, proof := range []tlog.RecordProof{made, given} {
		if err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, leaf); err != nil {
			return fmt.Errorf("leaf %d: %w", index, err)
		}
		if tlog.CheckRecord(proof, tree.N, tree.Hash, index, wrong) == nil {
			return fmt.Errorf("leaf %d: another entry is proved as well", index)
		}
	}
	return nil
}

// goesOn verifies that a tree begins with an older one, by tiles and by the site's own proof.
func (s site) goesOn(old, tree tlog.Tree) error {
	made, err := tlog.ProveTree(tree.N, old.N, tlog.TileHashReader(tree, s))
	if err != nil {
		return err
	}
	given, err := s.proof(fmt.Sprintf("/proof/consistency?from=%d&to=%d", old.N, tree.N))
	if err != nil {
		return err
	}
	wrong := old.Hash
	wrong[0] ^= 1
	for _, proof := range []tlog.TreeProof{made, given} {
		if err := tlog.CheckTree(proof, tree.N, tree.Hash, old.N, old.Hash); err != nil {
			return fmt.Errorf("from %d to %d: %w", old.N, tree.N, err)
		}
		if tlog.CheckTree(proof, tree.N, tree.Hash, old.N, wrong) == nil {
			return fmt.Errorf("from %d to %d: another root is proved as well", old.N, tree.N)
		}
	}
	return nil
}

func run(s site, verifier, older string) error {
	key, err := note.NewVerifier(verifier)
	if err != nil {
		return err
	}
	tree, err := s.checkpoint("/checkpoint", key)
	if err != nil {
		return err
	}
	old, err := s.checkpoint("/checkpoint/"+older, key)
	if err != nil {
		return err
	}
	for _, index := range []int64{0, 1, 254, 255, 256, 257, 511, 512, old.N - 1, tree.N - 1} {
		if err := s.included(tree, index); err != nil {
			return err
		}
	}
	if err := s.goesOn(old, tree); err != nil {
		return err
	}
	fmt.Printf("%s: %d leaves verify, and go on from %d\n", key.Name(), tree.N, old.N)
	return nil
}

func main() {
	if err := run(site(os.Args[1]), os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
