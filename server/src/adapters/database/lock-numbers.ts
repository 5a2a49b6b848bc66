/** Advisory locks, all of transaction scope: the embedded database grants session locks twice. */
export const migrationLock = 7_275_001
export const firstStartLock = 7_275_002
