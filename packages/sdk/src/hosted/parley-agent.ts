import { ParleyAgent } from '../element/index.js'
import { servedDefaults } from './served-defaults.js'

ParleyAgent.defaults = servedDefaults

export { ParleyAgent }
