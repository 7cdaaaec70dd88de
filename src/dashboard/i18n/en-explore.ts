// What the views of pages, maps and search say.
export const enExplore = {} as const
