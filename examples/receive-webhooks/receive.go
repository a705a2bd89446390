// Receives webhook events: verified, stored once, answered immediately, processed afterwards.
// Go 1.19 or newer, nothing to install.
//
//	SIGNING_SECRETS=whsec_... PORT=8080 INBOX=inbox go run receive.go
//	go run receive.go vectors test-vectors.json
//
// It listens on 127.0.0.1: your web server holds the certificate and passes POST requests on, body
// and headers unchanged. SIGNING_SECRETS holds two secrets, with a space between, during a rotation.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	mostBytes        = 65_536
	mostSignatures   = 8
	toleranceSeconds = 300
	kept             = 30 * 24 * time.Hour
)

var (
	secrets = strings.Fields(os.Getenv("SIGNING_SECRETS"))
	inbox   = envOr("INBOX", "inbox")
	isTime  = regexp.MustCompile(`^(0|[1-9][0-9]{0,11})$`)
	isHex   = regexp.MustCompile(`^[0-9a-f]{64}$`)
	isID    = regexp.MustCompile(`^evt_[0-9a-f]{32}$`)
	newWork = make(chan struct{}, 1)
)

type event struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Test bool   `json:"test"`
}

// work is your processing. If it fails or is interrupted, it runs again, so it must be safe to repeat.
func work(e event, body []byte) error {
	fmt.Println("done", e.Type, e.ID)
	return nil
}

// isGenuine reports whether the header signs exactly these bytes with one of the secrets, close to now.
func isGenuine(header string, body []byte, secrets []string, now int64) bool {
	t, signatures := "", []string{}
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		if strings.ContainsAny(part, " \t\r\n") {
			return false
		}
		if name == "t" {
			if t != "" || !isTime.MatchString(value) {
				return false
			}
			t = value
		} else if name == "v1" && isHex.MatchString(value) {
			signatures = append(signatures, value)
		}
	}
	if t == "" || len(signatures) == 0 || len(signatures) > mostSignatures {
		return false
	}
	seconds, err := strconv.ParseInt(t, 10, 64)
	if err != nil || now-seconds > toleranceSeconds || seconds-now > toleranceSeconds {
		return false
	}
	found := false
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(t + "."))
		mac.Write(body)
		expected := []byte(hex.EncodeToString(mac.Sum(nil)))
		for _, signature := range signatures {
			// The comparison takes constant time, and the loop does not end early.
			found = hmac.Equal(expected, []byte(signature)) || found
		}
	}
	return found
}

// store keeps an event once, in the order write, flush, rename, so that a power failure leaves all of
// it or nothing. It returns false if it is stored already. With a database, this is an insert with the
// id as primary key.
func store(id string, body []byte) (bool, error) {
	file, err := os.CreateTemp(inbox, "part")
	if err != nil {
		return false, err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(body)
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return false, err
	}
	err = os.Link(file.Name(), filepath.Join(inbox, id+".json"))
	if errors.Is(err, os.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// workThrough processes stored events, and deletes those older than 30 days.
func workThrough() {
	files, _ := filepath.Glob(filepath.Join(inbox, "evt_*.json"))
	for _, file := range files {
		if err := workOn(file); err != nil {
			fmt.Fprintln(os.Stderr, file, "is left for the next time:", err)
		}
	}
}

func workOn(file string) error {
	done := strings.TrimSuffix(file, "json") + "done"
	_, err := os.Stat(done)
	if errors.Is(err, os.ErrNotExist) {
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var e event
		if err := json.Unmarshal(body, &e); err != nil {
			return err
		}
		if err := work(e, body); err != nil {
			return err
		}
		return os.WriteFile(done, nil, 0o600)
	}
	if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) > kept {
		os.Remove(file)
		return os.Remove(done)
	}
	return err
}

// receive returns the status of the response. Only stored events may be answered with 2xx.
func receive(w http.ResponseWriter, r *http.Request) int {
	if r.Method != http.MethodPost {
		return http.StatusMethodNotAllowed
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes))
	if err != nil {
		return http.StatusRequestEntityTooLarge
	}
	header := strings.Join(r.Header.Values("X-Service-Signature"), ",")
	if !isGenuine(header, body, secrets, time.Now().Unix()) {
		fmt.Println("refused")
		return http.StatusUnauthorized
	}
	var e event
	if json.Unmarshal(body, &e) != nil || !isID.MatchString(e.ID) {
		return http.StatusBadRequest
	}
	word := "test" // A sample that somebody sent from the dashboard.
	if !e.Test {
		isNew, err := store(e.ID, body)
		if err != nil {
			// The event is not stored, so the service will retry.
			fmt.Fprintln(os.Stderr, err)
			return http.StatusInternalServerError
		}
		word = map[bool]string{true: "stored", false: "again"}[isNew]
	}
	fmt.Println(word, e.Type, e.ID)
	return http.StatusNoContent
}

// checkVectors prints whether this program agrees with each test vector.
func checkVectors(file string) int {
	var list struct {
		Vectors []struct {
			Name       string   `json:"name"`
			Secrets    []string `json:"secrets"`
			Now        int64    `json:"now"`
			Header     string   `json:"header"`
			BodyBase64 []byte   `json:"bodyBase64"`
			Valid      bool     `json:"valid"`
		} `json:"vectors"`
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	right := 0
	for _, v := range list.Vectors {
		if isGenuine(v.Header, v.BodyBase64, v.Secrets, v.Now) == v.Valid {
			right++
		} else {
			fmt.Println("wrong:", v.Name)
		}
	}
	fmt.Println(right, "of", len(list.Vectors), "vectors")
	if right != len(list.Vectors) {
		return 1
	}
	return 0
}

func envOr(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func fail(status int, why ...any) {
	fmt.Fprintln(os.Stderr, why...)
	os.Exit(status)
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "vectors" {
		os.Exit(checkVectors(os.Args[2]))
	}
	if len(secrets) == 0 {
		fail(2, "Set SIGNING_SECRETS to the signing secret of your endpoint.")
	}
	if err := os.MkdirAll(inbox, 0o700); err != nil {
		fail(1, err)
	}
	go func() {
		for {
			workThrough()
			<-newWork
		}
	}()
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(receive(w, r))
		select {
		case newWork <- struct{}{}:
		default:
		}
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+envOr("PORT", "8080"))
	if err != nil {
		fail(1, err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	server := http.Server{ReadTimeout: 15 * time.Second}
	fail(1, server.Serve(listener))
}
