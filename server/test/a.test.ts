import { y } from '#server/main.js'
export const z = y
