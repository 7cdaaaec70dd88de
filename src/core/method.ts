/** The ways a trained model can judge a text; see topic/classifier.ts. */
export const METHODS = ['naive-bayes', 'logistic-regression'] as const
export type Method = (typeof METHODS)[number]

/** The one that a model is judged by which does not say. */
export const DEFAULT_METHOD: Method = 'logistic-regression'
