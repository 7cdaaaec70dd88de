// The list of tools. Each is one function that makes it.
import {
  type CrawlToolDeps,
  crawlTool,
  explainTool,
  searchTool,
  statusTool,
} from './crawl-tools.ts'
import type { Tool } from './tool.ts'
import { mapTool, scrapeTool, type WebToolDeps } from './web-tools.ts'

type ToolDeps = WebToolDeps & CrawlToolDeps

export function createTools(deps: ToolDeps): readonly Tool[] {
  return [scrapeTool, mapTool, crawlTool, statusTool, searchTool, explainTool].map((create) =>
    create(deps),
  )
}
