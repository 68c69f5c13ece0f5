import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Tomcat with a private and a public servlet: java Servlet.java address folder. */
public class Servlet {
    public static void main(String[] arguments) throws Exception {
        String[] address = arguments[0].split(":");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[1]);
        tomcat.setPort(Integer.parseInt(address[1]));
        tomcat.getConnector().setProperty("address", address[0]);
        Context context = tomcat.addContext("", new File(arguments[1]).getAbsolutePath());
        add(context, "/admin/secret", "this page is private");
        add(context, "/public/hello.txt", "this page is public");
        tomcat.start();
        tomcat.getServer().await();
    }

    private static void add(Context context, String path, String page) {
        Tomcat.addServlet(context, path, new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.getWriter().print(page);
            }
        });
        context.addServletMappingDecoded(path, path);
    }
}
