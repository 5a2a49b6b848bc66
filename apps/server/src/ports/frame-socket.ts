export type { FrameSocket, FrameSocketEvents } from '@parley/relay-socket'
