/** Which instances live. The sessions of one that does not renew its lease are closed by the others. */
export interface InstanceLeaseStore {
  /** Renews the lease of an instance; returns whether it had one that was not older than that. */
  renew(instanceId: string, unbrokenSeconds: number): Promise<boolean>
  /** Releases the lease: this instance runs nothing any more. */
  release(instanceId: string): Promise<void>
  /** Releases the leases of all others, where there can be no others any more. */
  releaseOthers(instanceId: string): Promise<void>
  /**
   * Ends the sessions whose instance has not renewed its lease for that long; returns how many. Calls that
   * such an instance ran, also for sessions that were over, have failed from now on: nobody knows what came of them.
   */
  closeLost(leaseSeconds: number): Promise<number>
  /**
   * Ends the sessions of this instance that began longer ago than that and are none of those it runs, as internal;
   * returns how many. They began by a statement whose confirmation was lost. Calls that still seem to run for one that it
   * runs no more have failed.
   */
  closeForgotten(instanceId: string, runningIds: readonly string[], seconds: number): Promise<number>
}
