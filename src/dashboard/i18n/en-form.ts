// What the form that starts a crawl says.
export const enForm = {} as const
