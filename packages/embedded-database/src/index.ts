export { OneConnectionPool } from './one-connection-pool.js'
export { type EmbeddedDatabase, openEmbeddedDatabase } from './open-embedded-database.js'
export { restoreCluster } from './restore-cluster.js'
