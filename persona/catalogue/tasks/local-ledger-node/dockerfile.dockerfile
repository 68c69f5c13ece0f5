# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/build/building/best-practices/ Building best practices
# snippet:about Docker
# A chain for tests whose first block is always the same: fixed accounts, fixed balances.
FROM ethereum/client-go:v1.13.15 AS chain
COPY genesis.json /genesis.json
RUN geth init --datadir /chain /genesis.json

FROM ethereum/client-go:v1.13.15
RUN adduser -D -u 10001 node
COPY --from=chain --chown=node /chain /chain
USER node

EXPOSE 8545
# Nothing is on a volume: removing the container is going back to the first block.
ENTRYPOINT ["geth", "--datadir", "/chain", "--nodiscover", "--maxpeers", "0"]
CMD ["--http", "--http.addr", "0.0.0.0", "--http.api", "eth,net,web3", "--http.vhosts", "localhost"]

HEALTHCHECK --interval=5s --timeout=3s \
  CMD ["geth", "attach", "--exec", "eth.chainId()", "/chain/geth.ipc"]
