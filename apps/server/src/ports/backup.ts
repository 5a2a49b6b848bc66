/** The embedded database of one moment. */
export interface BackupArchive {
  readonly createdAt: string
  /** The secret that Parley made for itself; null where it is the operator's, in PARLEY_SECRET. */
  readonly secret: string | null
  /** Its files, as a tar archive. */
  readonly archive: ArrayBuffer
}
