export type { Message, Step, Tool, ToolCall, ToolChoice } from './conversation.js'
export { type DemoModel, type DemoModelOptions, type DemoRequest, makeDemoModel } from './demo-model.js'
