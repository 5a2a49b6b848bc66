import { BlockList, isIPv4 } from 'node:net'

/** Addresses that mean another host in every network. A peer that describes one is behind a NAT. */
const privateAddresses = new BlockList()
privateAddresses.addSubnet('10.0.0.0', 8)
privateAddresses.addSubnet('100.64.0.0', 10)
privateAddresses.addSubnet('127.0.0.0', 8)
privateAddresses.addSubnet('169.254.0.0', 16)
privateAddresses.addSubnet('172.16.0.0', 12)
privateAddresses.addSubnet('192.168.0.0', 16)

/** Addresses of no host: this network, protocol assignments, benchmarks, multicast, reserved. */
const specialAddresses = new BlockList()
specialAddresses.addSubnet('0.0.0.0', 8)
specialAddresses.addSubnet('192.0.0.0', 24)
specialAddresses.addSubnet('198.18.0.0', 15)
specialAddresses.addSubnet('224.0.0.0', 3)

export function isPrivateAddress(address: string): boolean {
  return privateAddresses.check(address)
}

/** Returns whether an IPv4 address means the same host everywhere. */
export function isPublicAddress(address: string): boolean {
  return isIPv4(address) && !privateAddresses.check(address) && !specialAddresses.check(address)
}
