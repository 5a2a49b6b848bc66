import { ParleyAgent } from './parley-agent.js'

// One script tag is enough. A second one has no effect.
if (typeof customElements !== 'undefined' && customElements.get('parley-agent') === undefined)
  customElements.define('parley-agent', ParleyAgent)

export { ParleyAgent }
