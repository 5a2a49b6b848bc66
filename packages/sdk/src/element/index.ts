import { ParleyAgent } from './parley-agent.js'

// One script tag is all a page needs; a second one changes nothing.
if (typeof customElements !== 'undefined' && customElements.get('parley-agent') === undefined)
  customElements.define('parley-agent', ParleyAgent)

export { ParleyAgent }
