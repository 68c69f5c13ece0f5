import { getServerSession } from 'next-auth/next';
import { authOptions } from '../auth-options.js';

// The page is JSON, for the test.
export async function getServerSideProps({ req, res }) {
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(await getServerSession(req, res, authOptions)));
  return { props: {} };
}

export default function Home() { return null; }
