export { ParleyError } from './parley-error.js'
