# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://getfoundry.sh/anvil/overview Anvil
# A chain for tests that always begins the same: fixed accounts, fixed balances, a fixed time.
FROM ghcr.io/foundry-rs/foundry:v1.3.5
# snippet:about Docker

# More accounts and contracts for the first block; ten test accounts are there already. Their keys
# are public: what is sent to them on a real chain is gone.
COPY genesis.json /genesis.json

EXPOSE 8545
ENV ANVIL_IP_ADDR=0.0.0.0
# The accounts sign for this chain id, whatever genesis.json says. A block for each transaction, and
# none without. Nothing is on a volume: removing the container is going back to the first block.
ENTRYPOINT ["anvil", "--init", "/genesis.json", "--chain-id", "31337", "--timestamp", "1735689600"]

HEALTHCHECK --interval=5s --timeout=3s CMD ["cast", "chain-id", "--rpc-url", "http://127.0.0.1:8545"]
