/** Which instances live. The sessions of one that does not renew its lease are closed by the others. */
export interface InstanceLeaseStore {
  /** Renews the lease of an instance; answers whether it had one that was not older than that. */
  renew(instanceId: string, unbrokenSeconds: number): Promise<boolean>
  /** Gives the lease up: this instance runs nothing any more. */
  release(instanceId: string): Promise<void>
  /**
   * Closes the books of sessions whose instance has not renewed its lease for that long; answers how many. Calls that
   * such an instance ran have failed from now on: nobody knows what came of them.
   */
  closeLost(leaseSeconds: number): Promise<number>
}
