import { BlockList, isIPv6 } from 'node:net'

const inside = new BlockList()
for (const [address, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  inside.addSubnet(address, prefix, 'ipv4')
for (const [address, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  inside.addSubnet(address, prefix, 'ipv6')

/** Whether an address is neither a loopback address nor in a private network. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return !inside.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4')
}
