# Certificates and kubeconfigs of one cluster, in $state/pki; sourced, not run.

# issue NAME SUBJECT [OPENSSL_OPTION...]: makes NAME.key and NAME.crt.
issue() {
  local name=$1 subject=$2
  shift 2
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 \
    -config <(printf '[req]\ndistinguished_name=dn\n[dn]\n') -subj "$subject" \
    -keyout "$state/pki/$name.key" -out "$state/pki/$name.crt" "$@" 2>> "$state/logs/openssl.log"
}

make_authority() {
  mkdir -p "$state/pki" "$state/logs"
  chmod 700 "$state/pki"
  issue ca /CN=fairlap-test-ca -addext basicConstraints=critical,CA:TRUE \
    -addext keyUsage=critical,keyCertSign,cRLSign -addext subjectKeyIdentifier=hash
  openssl ecparam -name prime256v1 -genkey -noout -out "$state/pki/service-accounts.key" \
    2>> "$state/logs/openssl.log"
}

# make_certificate NAME USER GROUP [SUBJECT_ALTERNATIVE_NAMES]
make_certificate() {
  issue "$1" "${3:+/O=$3}/CN=$2" -CA "$state/pki/ca.crt" -CAkey "$state/pki/ca.key" \
    -addext extendedKeyUsage=clientAuth,serverAuth -addext authorityKeyIdentifier=keyid \
    ${4:+-addext "subjectAltName=$4"}
}

# make_kubeconfig NAME USER GROUP FILE: a client certificate and the file that uses it; needs $server.
make_kubeconfig() {
  local name=$1 file=$4
  make_certificate "$name" "$2" "$3"
  (umask 077 && cat > "$file") << EOF
apiVersion: v1
kind: Config
clusters:
- name: fairlap-test
  cluster:
    server: $server
    certificate-authority-data: $(base64 -w 0 "$state/pki/ca.crt")
users:
- name: $name
  user:
    client-certificate-data: $(base64 -w 0 "$state/pki/$name.crt")
    client-key-data: $(base64 -w 0 "$state/pki/$name.key")
contexts:
- name: $name
  context: {cluster: fairlap-test, user: $name}
current-context: $name
EOF
}
